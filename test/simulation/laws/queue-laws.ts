/** The laws of the queue of a busy phone, judged by what journals recorded of it and what callers were told. */
import { executionOf, type Violation } from '../../laws/laws.ts'
import type { World } from '../world.ts'

/** A record of a device that concerns its queue. */
export interface DeviceEvent {
  /** Host and actor: each device of a host has a queue. */
  queue: string
  host: string
  type: string
  executionId: string
  /** Virtual ms, by the clock of the host. */
  at: number
  /** The reservation that it belongs to. */
  leaseId?: string | undefined
  /** The device began it. */
  isAccepted: boolean
  pid?: number | undefined
  waitMs?: number | undefined
}

/** A stay in a queue. */
interface Stay {
  executionId: string
  host: string
  pid: number | undefined
  leaseId: string | undefined
  waitMs: number
  from: number
  until: number
  end: 'accepted' | 'left' | 'none'
}

interface Replayed {
  stays: readonly Stay[]
  violations: readonly Violation[]
}

const replayQueue = (events: readonly DeviceEvent[]): Replayed => {
  const stays: Stay[] = []
  const violations: Violation[] = []
  const isOpen = ({ end }: Stay) => end === 'none'
  /** The same id may be asked for at two processes: one that the device had is not queued again. */
  const begun = new Set<string>()
  for (const { type, executionId: about, at, isAccepted, host, pid, leaseId, waitMs = 0 } of events) {
    const own = stays.find(stay => stay.executionId === about)
    if (type === 'execution.queued') {
      if (!own && !begun.has(about))
        stays.push({
          executionId: about,
          host,
          pid,
          leaseId,
          waitMs,
          from: at,
          until: Number.POSITIVE_INFINITY,
          end: 'none',
        })
    } else if (type === 'execution.left') {
      if (own && isOpen(own)) Object.assign(own, { until: at, end: 'left' })
    } else if (isAccepted) {
      begun.add(about)
      // While a phone is reserved, the requests of that reservation have a line of their own.
      const first = stays.find(stay => isOpen(stay) && (leaseId === undefined || stay.leaseId === leaseId))
      if (own?.end === 'left') violations.push({ law: 2, about, says: 'it had left the queue, and the phone began it' })
      else if (first && first !== own)
        violations.push({ law: 4, about, says: `the phone began it before ${first.executionId}, which had come first` })
      if (own && isOpen(own)) Object.assign(own, { until: at, end: 'accepted' })
    }
  }
  return { stays, violations }
}

const replay = ({ queueEvents }: Pick<World, 'queueEvents'>): Replayed => {
  const queues = [...new Set(queueEvents.map(({ queue }) => queue))]
  const all = queues.map(name => replayQueue(queueEvents.filter(({ queue }) => queue === name)))
  return { stays: all.flatMap(({ stays }) => stays), violations: all.flatMap(({ violations }) => violations) }
}

/** Processes stand still, or wait for their disks: what they do late, they could do no sooner. */
const SLOW = ['freeze', 'disk-slow', 'disk-full', 'sync-fails']
/** A wait whose turn comes in its last moment looks for its phone first, which may take long. */
const PHONE_LATE = ['stall', 'away', 'move']
const has = ({ faults }: World, kinds: readonly string[]) => faults.some(({ kind }) => kinds.includes(kind))

/** Between an event and its record, and from there to whoever hears of it. */
const UNDER_WAY_MS = 100

/** Law 2: what has left the queue, or whose caller had left while it waited, is never begun. */
const departedNeverRun = (world: World, { stays }: Replayed): Violation[] =>
  has(world, SLOW)
    ? []
    : world.departures.flatMap(({ command, at }) => {
        // Only a request that nobody repeats is known by its command.
        const asked = world.story.asked.filter(one => one.command === command)
        if (asked.length !== 1 || asked[0]?.key !== undefined) return []
        return world.begun
          .filter(one => one.at > at + UNDER_WAY_MS && stays.some(({ executionId }) => executionId === one.executionId))
          .filter(one => world.story.ran.some(ran => ran.executionId === one.executionId && ran.command === command))
          .map(
            (one): Violation => ({
              law: 2,
              about: one.executionId,
              says: `it was begun ${one.at - at} ms after its caller had left the queue`,
            }),
          )
      })

/** Law 2: no phone gets what has left the queue. */
const leftNeverSeen = ({ story }: World, { stays }: Replayed): Violation[] =>
  stays
    .filter(({ end, executionId }) => end === 'left' && story.seen.some(one => executionOf(one) === executionId))
    .map(({ executionId: about }): Violation => ({ law: 2, about, says: 'it left the queue, and a phone got it' }))

/** An attempt at the last moment, and the time that a timer takes. */
const LATE_MS = 1_000
const PHONE_LATE_MS = 8_000

/** Law 7: nobody waits longer than its caller said, while its process lives. */
const waitsEnd = (world: World, { stays }: Replayed): Violation[] => {
  if (has(world, [...SLOW, 'clock-set'])) return []
  const lateMs = has(world, PHONE_LATE) ? PHONE_LATE_MS : LATE_MS
  return stays
    .filter(({ pid }) => !world.deaths.some(death => death.pid === pid))
    .filter(({ from, until, waitMs }) => until - from > waitMs + lateMs)
    .map(({ executionId: about, from, until, waitMs }): Violation => {
      return { law: 7, about, says: `it waited for ${until - from} ms, and its caller wanted ${waitMs} ms` }
    })
}

/** Law 3: while it waits its receipt says so, and never after that. */
const receiptsSayWaiting = (world: World, { stays }: Replayed): Violation[] =>
  // A power cut may take the record of a state that was seen.
  has(world, ['freeze', 'disk-slow', 'clock-set', 'power-cut'])
    ? []
    : world.looks.flatMap(({ executionId: about, host, began, answered, state }): Violation[] => {
        const says = (text: string): Violation[] => [{ law: 3, about, says: text }]
        const stay = stays.find(one => one.executionId === about && one.host === host)
        if (!stay) return state === 'waiting' ? says('it never waited, and was said to') : []
        const isWithin = began > stay.from + UNDER_WAY_MS && answered < stay.until - UNDER_WAY_MS
        const isAfter = began > stay.until + UNDER_WAY_MS
        if (isWithin && state !== 'waiting') return says(`it waited, and its receipt was ${state}`)
        return isAfter && state === 'waiting' ? says('it waited no more, and its receipt said so') : []
      })

interface Conflict {
  error?: { details?: { holder?: { executionId?: string } } }
}

/** Law 7: who is refused for those that wait is told of one that waits then. */
const refusedForSomebody = (world: World, { stays }: Replayed): Violation[] =>
  has(world, [...SLOW, 'clock-set', 'power-cut'])
    ? []
    : world.story.asked
        .filter(({ text }) => text.startsWith('{') && text.includes('and come first'))
        .flatMap(({ command: about, text, began, ended }): Violation[] => {
          const first = (JSON.parse(text) as Conflict).error?.details?.holder?.executionId
          const isThere = stays.some(
            ({ executionId, from, until }) =>
              executionId === first && from <= ended + UNDER_WAY_MS && until >= began - UNDER_WAY_MS,
          )
          return isThere ? [] : [{ law: 7, about, says: `it was refused for ${first}, which did not wait then` }]
        })

export const judgeQueues = (world: World): Violation[] => {
  const replayed = replay(world)
  return [
    ...replayed.violations,
    ...departedNeverRun(world, replayed),
    ...leftNeverSeen(world, replayed),
    ...waitsEnd(world, replayed),
    ...receiptsSayWaiting(world, replayed),
    ...refusedForSomebody(world, replayed),
  ]
}
