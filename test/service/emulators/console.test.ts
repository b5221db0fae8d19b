/** The console of an emulator, as it answers and as it does not. */
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { consoleAvdName, consoleKill } from '../../../src/service/emulators/console.ts'

const clock = systemClock()
const env = { HOME: '/nowhere' }
const servers: Server[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

const GREETING = "Android Console: type 'help' for a list of commands\r\nOK\r\n"

const listen = (talk: (socket: Socket) => void): Promise<number> =>
  new Promise(resolve => {
    const server = createServer(socket => {
      sockets.add(socket)
      socket.on('error', () => {})
      talk(socket)
    })
    servers.push(server)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
const answering = (answer: string) =>
  listen(socket => {
    socket.write(GREETING)
    socket.once('data', () => socket.end(answer))
  })
const options = (port: number, timeoutMs = 5_000) => ({ port, env, clock, timeoutMs })

describe('its AVD', () => {
  test.each([
    ['a name', 'my_avd\r\nOK\r\n', 'my_avd'],
    ['a refusal', "KO: unknown command, try 'help'\r\n", undefined],
    ['nothing', '', undefined],
  ])('%s', async (_what, answer, name) => {
    expect(await consoleAvdName(options(await answering(answer)))).toBe(name)
  })
})

describe('its end', () => {
  test.each([
    ['OK: killing emulator, bye bye\r\n', 'taken'],
    ['KO: authentication token does not match\r\n', 'refused'],
    ['', 'silent'],
  ])('%j is %s', async (answer, kind) => {
    expect(await consoleKill(options(await answering(answer)))).toBe(kind)
  })

  test.each([
    ['says nothing', () => {}, 'silent'],
    ['only greets', (socket: Socket) => void socket.write(GREETING), 'silent'],
    ['hangs up', (socket: Socket) => void socket.destroy(), 'silent'],
  ] as [string, (socket: Socket) => void, string][])('one that %s keeps nobody', async (_what, talk, kind) => {
    expect(await consoleKill(options(await listen(talk), 100))).toBe(kind)
  })

  test('one that talks without end is left', async () => {
    const port = await listen(socket => {
      const talk = () => {
        while (socket.writable && socket.write('x'.repeat(10_000)));
      }
      socket.on('drain', talk)
      talk()
    })
    expect(await consoleAvdName(options(port, 30_000))).toBeUndefined()
  })

  test('one that is not there is unreachable, and a caller that leaves waits no more', async () => {
    expect(await consoleKill(options(1))).toBe('unreachable')
    const port = await listen(() => {})
    expect(await consoleAvdName({ ...options(port, 60_000), signal: AbortSignal.timeout(50) })).toBeUndefined()
  })
})
