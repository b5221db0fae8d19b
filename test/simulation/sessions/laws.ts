/** The laws of WebDriver sessions: no click twice, true answers, one end for each session, and a phone that is its own meanwhile. */
import type { Violation } from '../../laws/laws.ts'
import type { SessionWorld } from './trial.ts'

const NOT_THERE = 404

/** Law 1: a row is tapped once at most. */
const nothingTwice = ({ taps }: SessionWorld): Violation[] =>
  Object.entries(taps)
    .filter(([, count]) => count > 1)
    .map(([about, count]) => ({ law: 1, about, says: `the phone did it ${count} times` }))

/** Law 2: an answer to a click is true. Law 4: a session that is over clicks nothing. */
const clicksAreTrue = ({ facts, taps }: SessionWorld): Violation[] =>
  facts.clicks.flatMap(({ row, sessionId, isLate, reply }): Violation[] => {
    const about = `tap-${row} of ${sessionId}`
    const count = taps[`tap-${row}`] ?? 0
    if (isLate && (count > 0 || (reply && reply.status !== NOT_THERE)))
      return [{ law: 4, about, says: `its session was over, it was answered ${reply?.status}, tapped ${count} times` }]
    if (reply?.status === 200 && count === 0)
      return [{ law: 2, about, says: 'it was answered as done, and no phone saw it' }]
    const isDenied = reply?.value?.data?.dispatched === false || reply?.status === NOT_THERE
    return isDenied && count > 0 ? [{ law: 2, about, says: 'it was answered as not sent, and a phone saw it' }] : []
  })

/** Each of them begins the time of a reservation. */
const BEGINS_TIME: ReadonlySet<string> = new Set(['reservation.taken', 'phone.cleared', 'reservation.extended'])

/**
 * Until when each reservation stands, by its records. Whoever needs the phone takes it then, whether or not the end is
 * on record: the wall clock may have been set forward past it.
 */
const reservationEnds = () => {
  const ends = new Map<string, { forMs: number; at: number }>()
  return {
    take(leaseId: string, event: SessionWorld['records'][number]['event'], at: number) {
      if (!BEGINS_TIME.has(event.type)) return
      const forMs = typeof event.forMs === 'number' ? event.forMs : ends.get(leaseId)?.forMs
      if (forMs !== undefined) ends.set(leaseId, { forMs, at })
    },
    isOver(leaseId: string, at: number): boolean {
      const end = ends.get(leaseId)
      return end !== undefined && at >= end.at + end.forMs
    },
  }
}

interface OnRecord {
  readonly sessionId: string
  leaseId?: string
  readonly ends: string[]
}

/** Follows the records once; law 3 and 4 are judged by their order. */
const judgeRecords = ({ records, plan, facts }: SessionWorld): Violation[] => {
  const violations: Violation[] = []
  const sessions = new Map<string, OnRecord>()
  const byLease = new Map<string, OnRecord>()
  const freed = new Set<string>()
  const ends = reservationEnds()
  for (const { actor, machine, event, from, to, at } of records) {
    if (machine === 'session') {
      const sessionId = actor.slice('session:'.length)
      const session = sessions.get(sessionId) ?? { sessionId, ends: [] }
      sessions.set(sessionId, session)
      if (event.type === 'phone.reserved' && from !== to) {
        session.leaseId = String(event.leaseId)
        byLease.set(session.leaseId, session)
      }
      if (to.startsWith('ended') && !from.startsWith('ended')) session.ends.push(to)
      const { leaseId } = session
      const isFreed = leaseId === undefined || freed.has(leaseId) || ends.isOver(leaseId, at)
      if (event.type === 'phone.released' && from === 'closing' && !isFreed)
        violations.push({ law: 4, about: sessionId, says: 'its phone counts as free, and is reserved for it' })
    }
    if (machine === 'reservation') ends.take(actor.slice('reservation:'.length), event, at)
    if (machine === 'reservation' && from.startsWith('held') && !to.startsWith('held'))
      freed.add(actor.slice('reservation:'.length))
    const isBegun = machine === 'device' && event.type === 'execution.requested' && from === 'idle' && to !== from
    const session = isBegun && typeof event.leaseId === 'string' ? byLease.get(event.leaseId) : undefined
    if (session && session.ends.length > 0)
      violations.push({ law: 4, about: session.sessionId, says: `${event.executionId} was begun after its end` })
  }
  for (const { sessionId, ends } of sessions.values())
    if (ends.length !== 1)
      violations.push({ law: 3, about: sessionId, says: `it has ${ends.length} ends: ${ends.join(', ')}` })
  const isCut = plan.faults.some(({ kind }) => kind === 'power-cut')
  for (const { sessionId } of isCut ? [] : facts.sessions)
    if (!sessions.has(sessionId)) violations.push({ law: 3, about: sessionId, says: 'no journal has the session' })
  return violations
}

/** Law 3: a client that was told that its session is deleted finds that on record. */
const deletedTruly = ({ facts, records, plan }: SessionWorld): Violation[] => {
  if (plan.faults.some(({ kind }) => kind === 'power-cut')) return []
  const deleted = facts.sessions.filter(({ deletedAt }) => deletedAt !== undefined)
  return deleted
    .filter(({ sessionId }) => !records.some(({ actor, to }) => actor === `session:${sessionId}` && isOver(to)))
    .map(({ sessionId }) => ({ law: 3, about: sessionId, says: 'it was answered as deleted, and is not over' }))
}

const isOver = (state: string): boolean => state.startsWith('ended')

/** Law 7: in the calm every phone is free for a new session, and no session is left. */
const phonesAreFree = ({ facts, story }: SessionWorld): Violation[] =>
  [...facts.refusals, ...story.unended].map(about => ({ law: 7, about, says: 'in the calm' }))

/** Law 8: nothing is left in flight. */
const nothingLeft = ({ left }: SessionWorld): Violation[] =>
  left.map(({ owner: about, what }) => ({ law: 8, about, says: `${what} is left` }))

export const judgeSessions = (world: SessionWorld): Violation[] => [
  ...nothingTwice(world),
  ...clicksAreTrue(world),
  ...judgeRecords(world),
  ...deletedTruly(world),
  ...world.reservations,
  ...phonesAreFree(world),
  ...nothingLeft(world),
]
