/** Forwards that the adb server holds: it listens at the host and opens the service at the device itself. */
import { lstatSync } from 'node:fs'
import { portIn } from '../../../contracts/device/forwards.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { type AdbServer, answerTo, converse, serverError } from '../adb-server.ts'
import { bounded } from '../bounded.ts'
import { type CallOptions, LinkError } from '../link.ts'
import { ServerStreamError } from '../server-stream.ts'
import { type ForwardAnswer, type PortPair, refusalOf, refusedForward } from './port-pair.ts'

export interface ServerForwards {
  list(serial: string, call: CallOptions): Promise<PortPair[]>
  /** `replace` takes the place of what leads elsewhere from the same local end. */
  add(serial: string, pair: PortPair, replace: boolean, call: CallOptions): Promise<ForwardAnswer<PortPair>>
  remove(serial: string, local: string, call: CallOptions): Promise<ForwardAnswer<undefined>>
}

const PATH = 'localfilesystem:'

/** The server removes whatever is at the path of its socket. */
const isFileInTheWay = (local: string): boolean => {
  if (!local.startsWith(PATH)) return false
  const found = lstatSync(local.slice(PATH.length), { throwIfNoEntry: false })
  return found !== undefined && !found.isSocket()
}

/** Each forward of every device has a line: serial, local, remote. */
export const forwardsIn = (text: string, serial: string): PortPair[] =>
  text.split('\n').flatMap(line => {
    if (!line.startsWith(`${serial} `)) return []
    const [local = '', remote = ''] = line.slice(serial.length + 1).split(' ')
    return local === '' || remote === '' ? [] : [{ local, remote }]
  })

/** The server refuses in words; anything else is a failure of the server. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && !('code' in error) && !(error instanceof ServerStreamError)

export const createServerForwards = ({ clock, server }: { clock: Clock; server: AdbServer }): ServerForwards => {
  const ask = <T>(what: string, call: CallOptions, work: (stop: AbortSignal) => Promise<T>): Promise<T> =>
    bounded({ clock, what, ...call }, stop =>
      work(stop).catch((error: unknown) => {
        throw serverError(error, what, 'ADB_SERVER_FAILED')
      }),
    )

  /** The first OKAY is for the request, the second one for what was asked; a chosen port follows. */
  const change = async (request: string, hasPort: boolean, stop: AbortSignal): Promise<ForwardAnswer<string>> => {
    try {
      const stream = await server.connect(request, stop)
      try {
        return await converse(stream, stop, async () => {
          await stream.readOkay()
          return { ok: true as const, value: hasPort ? await stream.readString() : '' }
        })
      } finally {
        stream.close()
      }
    } catch (error) {
      if (stop.aborted || error instanceof LinkError || !isRefusal(error)) throw error
      return refusalOf(messageOf(error))
    }
  }

  const pairsOf = async (serial: string, stop: AbortSignal): Promise<PortPair[]> =>
    forwardsIn(await answerTo(server.connect, 'host:list-forward', stop), serial)

  return {
    list: (serial, call) => ask('listing forwards', call, stop => pairsOf(serial, stop)),
    add: (serial, { local, remote }, replace, call) =>
      ask(`forwarding ${local}`, call, async stop => {
        if (isFileInTheWay(local)) {
          return refusedForward('file_exists', `${local.slice(PATH.length)} is an ordinary file`)
        }
        const isChosen = portIn(local) === 0
        const request = `host-serial:${serial}:forward:${replace ? '' : 'norebind:'}${local};${remote}`
        const changed = await change(request, isChosen, stop)
        if (changed.ok) return { ok: true, value: { local: isChosen ? `tcp:${changed.value}` : local, remote } }
        if (changed.reason !== 'taken') return changed
        const holds = (await pairsOf(serial, stop)).find(pair => pair.local === local)
        return holds?.remote === remote ? { ok: true, value: holds } : { ...changed, ...(holds ? { holds } : {}) }
      }),
    remove: (serial, local, call) =>
      ask(`removing ${local}`, call, async stop => {
        const has = (await pairsOf(serial, stop)).some(pair => pair.local === local)
        if (!has) return refusedForward('not_found', `${local} is not forwarded to this device`)
        const removed = await change(`host-serial:${serial}:killforward:${local}`, false, stop)
        return removed.ok ? { ok: true, value: undefined } : removed
      }),
  }
}
