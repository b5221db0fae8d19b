/** `nc`: carries stdin to a port of the phone itself, and prints what comes back. */
import { pause } from '../../../runtime/clock.ts'
import { badFlag, type Command, fail, parseFlags } from '../command.ts'

const LOCAL = ['localhost', '127.0.0.1', '::1', '0']
const PORT_MAX = 65_535
const MS_PER_SECOND = 1_000

/** `-q`: ends so many seconds after stdin has ended; without it, the other side ends the connection. */
export const nc: Command = async context => {
  const flags = parseFlags(context.args, { on: 'n', valued: 'qwW' })
  if (flags.bad) return badFlag(context, flags)
  const [host = '', port = ''] = flags.rest
  if (!/^\d{1,5}$/.test(port) || Number(port) > PORT_MAX) return fail(context, 'nc: need HOST PORT')
  if (!LOCAL.includes(host)) return fail(context, `nc: ${host}: No address associated with hostname`)
  const socket = context.phone.network?.connect(`tcp:${port}`)
  if (!socket) return fail(context, 'nc: connect: Connection refused')
  const { signal, stdin, waits, out } = context
  const over = new AbortController()
  const end = () => {
    socket.close()
    over.abort()
  }
  signal.addEventListener('abort', end, { once: true })
  let printed = Promise.resolve<unknown>(0)
  socket.onData(bytes => {
    printed = printed.then(() => out(bytes)).catch(end)
  })
  const closed = new Promise<void>(resolve => {
    socket.onClose(resolve)
    over.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const send = async () => {
    for (let chunk = await stdin.read(); chunk; chunk = await stdin.read()) socket.write(chunk)
    const quit = flags.value('q')
    if (quit === undefined) return
    await pause(waits, Number(quit) * MS_PER_SECOND, over.signal)
    end()
  }
  send().catch(end)
  await closed
  await printed
  return 0
}
