/** The forwards and reverses of a device: kept by the adb server where it carries the device, else held by this process. */
import type { Clock } from '../../../runtime/clock.ts'
import type { CallOptions, Link } from '../link.ts'
import { addReverse, listReverses, removeReverse } from './device-reverses.ts'
import { createHeldForwards } from './held-forwards.ts'
import { type ForwardAnswer, type PortPair, refusedForward } from './port-pair.ts'
import type { ServerForwards } from './server-forwards.ts'

export type ForwardKind = 'forward' | 'reverse'

export interface ListedPair extends PortPair {
  /** True when this process ends it with itself; else the adb server keeps it. */
  isHeld: boolean
}

export interface Forwards {
  list(kind: ForwardKind, link: Link, call: CallOptions): Promise<ForwardAnswer<ListedPair[]>>
  add(
    kind: ForwardKind,
    link: Link,
    pair: PortPair & { replace?: boolean | undefined },
    call: CallOptions,
  ): Promise<ForwardAnswer<ListedPair>>
  /** `end` is the one that listens. */
  remove(kind: ForwardKind, link: Link, end: string, call: CallOptions): Promise<ForwardAnswer<undefined>>
  /** Tells the pairs that are held for a device, also while it cannot be reached. */
  listHeld(kind: ForwardKind, serial: string): ListedPair[]
  removeHeld(kind: ForwardKind, serial: string, end: string, call: CallOptions): Promise<ForwardAnswer<undefined>>
  /** How many this process holds. */
  held(): number
  close(): void
}

interface ForwardsOptions {
  clock: Clock
  link(serial: string, call: CallOptions): Promise<Link>
  /** Undefined where no adb server can be asked. */
  server: ServerForwards | undefined
  /** True in a process that runs on. */
  mayHold(): boolean
  note(text: string): void
}

const isDirect = (link: Link): boolean => link.accept !== undefined

const needsDaemon = refusedForward('daemon_needed', 'without an adb server, a process that runs on must hold it')
const noServer = refusedForward('unsupported', 'no adb server carries this device')

export const createForwards = (options: ForwardsOptions): Forwards => {
  const { clock, server, mayHold } = options
  const held = createHeldForwards(options)
  const listHeld: Forwards['listHeld'] = (kind, serial) =>
    held.list(kind, serial).map(pair => ({ ...pair, isHeld: true }))

  const kept = (answer: ForwardAnswer<PortPair>, isHeld: boolean): ForwardAnswer<ListedPair> =>
    answer.ok ? { ok: true, value: { ...answer.value, isHeld } } : answer

  return {
    async list(kind, link, call) {
      if (isDirect(link)) return mayHold() ? { ok: true, value: listHeld(kind, link.serial) } : needsDaemon
      const listed =
        kind === 'forward' ? ((await server?.list(link.serial, call)) ?? []) : await listReverses(link, clock, call)
      return { ok: true, value: listed.map(pair => ({ ...pair, isHeld: false })) }
    },
    async add(kind, link, { replace = false, ...pair }, call) {
      if (!isDirect(link)) {
        if (kind === 'reverse') return kept(await addReverse(link, pair, { clock, replace }, call), false)
        return server ? kept(await server.add(link.serial, pair, replace, call), false) : noServer
      }
      if (!mayHold()) return needsDaemon
      const add = kind === 'forward' ? held.addForward : held.addReverse
      return kept(await add(link.serial, pair, replace, call), true)
    },
    async remove(kind, link, end, call) {
      if (isDirect(link)) return mayHold() ? held.remove(kind, link.serial, end, call) : needsDaemon
      if (kind === 'reverse') return removeReverse(link, end, clock, call)
      return server ? server.remove(link.serial, end, call) : noServer
    },
    listHeld,
    removeHeld: held.remove,
    held: held.count,
    close: held.close,
  }
}
