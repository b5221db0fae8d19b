/** The queue of a run of flows: which flow a free phone takes next, and what the end of an attempt means. Pure. */
import type { PlannedFlow } from '../../src/contracts/events/test-run.ts'
import type { Verdict } from '../../src/contracts/flows/test-run.ts'

/** How often a flow begins anew because its phone was lost. */
export const MOVES_MAX = 3

export interface QueuedFlow extends Pick<PlannedFlow, 'deviceId' | 'after' | 'needsPassed'> {
  state: 'waiting' | 'running' | 'ended'
  /** The phone that runs it, or ran it last. */
  phone: string | null
  attempts: number
  retries: number
  moves: number
  verdict: Verdict | null
  reason: string | null
}

export type PhoneState = 'free' | 'busy' | 'gone'

export interface Queue {
  flows: readonly QueuedFlow[]
  phones: Readonly<Record<string, PhoneState>>
  retries: number
  failFast: boolean
  /** True once no further attempt may begin: the run was cancelled, or a flow failed where one is enough. */
  isClosed: boolean
}

export interface Assignment {
  flow: number
  attempt: number
  deviceId: string
}

export const queued = ({ deviceId, after, needsPassed }: PlannedFlow): QueuedFlow => ({
  deviceId,
  after,
  needsPassed,
  state: 'waiting',
  phone: null,
  attempts: 0,
  retries: 0,
  moves: 0,
  verdict: null,
  reason: null,
})

const isReady = ({ state, after }: QueuedFlow, flows: readonly QueuedFlow[]): boolean =>
  state === 'waiting' && (after === null || flows[after]?.state === 'ended')

/** The first flow that may begin, on the first free phone that may run it. */
const nextAssignment = ({ flows, phones }: Queue): Assignment | undefined => {
  const free = Object.keys(phones).filter(phone => phones[phone] === 'free')
  for (const [flow, each] of flows.entries()) {
    if (!isReady(each, flows)) continue
    const deviceId = free.find(phone => each.deviceId === null || each.deviceId === phone)
    if (deviceId !== undefined) return { flow, attempt: each.attempts + 1, deviceId }
  }
  return undefined
}

const changed = <Q extends Queue>(queue: Q, flow: number, change: Partial<QueuedFlow>): Q => ({
  ...queue,
  flows: queue.flows.map((each, at) => (at === flow ? { ...each, ...change } : each)),
})

const withPhone = <Q extends Queue>(queue: Q, deviceId: string, state: PhoneState): Q => ({
  ...queue,
  phones: { ...queue.phones, [deviceId]: state },
})

const assigned = <Q extends Queue>(queue: Q, { flow, attempt, deviceId }: Assignment): Q =>
  withPhone(changed(queue, flow, { state: 'running', attempts: attempt, phone: deviceId }), deviceId, 'busy')

/** A phone that comes back while its attempt is still to end stays busy. */
export const joined = <Q extends Queue>(queue: Q, deviceId: string): Q => {
  const isAtWork = queue.flows.some(({ state, phone }) => state === 'running' && phone === deviceId)
  return withPhone(queue, deviceId, isAtWork ? 'busy' : 'free')
}

export const left = <Q extends Queue>(queue: Q, deviceId: string): Q =>
  queue.phones[deviceId] === undefined ? queue : withPhone(queue, deviceId, 'gone')

const endAll = <Q extends Queue>(
  queue: Q,
  state: QueuedFlow['state'],
  end: Pick<QueuedFlow, 'verdict' | 'reason'>,
): Q => ({
  ...queue,
  flows: queue.flows.map(flow => (flow.state === state ? { ...flow, state: 'ended' as const, ...end } : flow)),
})

const closed = <Q extends Queue>(queue: Q, end: Pick<QueuedFlow, 'verdict' | 'reason'>): Q => ({
  ...endAll(queue, 'waiting', end),
  isClosed: true,
})

/** Skips what may not begin any more: one look at each flow is enough, since a flow follows an earlier one. */
const withoutBlocked = <Q extends Queue>(queue: Q): Q =>
  queue.flows.reduce<Q>((now, _, at) => {
    const flow = now.flows[at]
    const before = flow?.after === null || flow === undefined ? undefined : now.flows[flow.after]
    const isBlocked = flow?.state === 'waiting' && flow.needsPassed && before?.state === 'ended'
    return isBlocked && before.verdict !== 'passed'
      ? changed(now, at, { state: 'ended', verdict: 'skipped', reason: 'a flow before it did not pass' })
      : now
  }, queue)

export interface AttemptEnd {
  flow: number
  attempt: number
  verdict: Verdict
  lostPhone: boolean
}

/** A lost phone is gone until it joins again: it must not take the flow that has just lost it. */
const released = <Q extends Queue>(queue: Q, phone: string, lostPhone: boolean): Q => {
  if (lostPhone) return left(queue, phone)
  return queue.phones[phone] === 'busy' ? withPhone(queue, phone, 'free') : queue
}

export const attemptEnded = <Q extends Queue>(queue: Q, { flow, attempt, verdict, lostPhone }: AttemptEnd): Q => {
  const ended = queue.flows[flow]
  if (ended?.state !== 'running' || ended.attempts !== attempt) return queue
  const freed = released(queue, ended.phone ?? '', lostPhone)
  const isOpen = verdict === 'failed' || verdict === 'indeterminate'
  const mayBeginAgain = isOpen && !queue.isClosed
  if (mayBeginAgain && lostPhone && ended.deviceId === null && ended.moves < MOVES_MAX)
    return changed(freed, flow, { state: 'waiting', moves: ended.moves + 1 })
  if (mayBeginAgain && ended.retries < queue.retries)
    return changed(freed, flow, { state: 'waiting', retries: ended.retries + 1 })
  const over = changed(freed, flow, { state: 'ended', verdict })
  return withoutBlocked(
    queue.failFast && isOpen ? closed(over, { verdict: 'skipped', reason: 'a flow before it failed' }) : over,
  )
}

/** No phone has taken them in time. */
export const withoutPhones = <Q extends Queue>(queue: Q): Q =>
  endAll(queue, 'waiting', { verdict: 'indeterminate', reason: 'no phone was free for it in time' })

const CANCELLED = { verdict: 'cancelled', reason: 'the run was cancelled' } as const

export const cancelledQueue = <Q extends Queue>(queue: Q): Q => closed(queue, CANCELLED)

/** No process is at the attempts that were under way, and none will go on with them. */
export const abandonedQueue = <Q extends Queue>(queue: Q): Q => endAll(cancelledQueue(queue), 'running', CANCELLED)

/** After its process has died a run looks for phones anew; the attempts that were under way go on. */
export const resumedQueue = <Q extends Queue>(queue: Q): Q => ({
  ...queue,
  phones: Object.fromEntries(
    queue.flows.flatMap(({ state, phone }) => (state === 'running' && phone !== null ? [[phone, 'busy']] : [])),
  ),
})

export const runningOf = ({ flows }: Queue): Assignment[] =>
  flows.flatMap(({ state, attempts, phone }, flow) =>
    state === 'running' && phone !== null ? [{ flow, attempt: attempts, deviceId: phone }] : [],
  )

/** Undefined while a flow is still to end. */
export const verdictOf = ({ flows }: Queue): Verdict | undefined => {
  if (flows.some(({ state }) => state !== 'ended')) return undefined
  const has = (wanted: Verdict) => flows.some(({ verdict }) => verdict === wanted)
  return (['cancelled', 'failed', 'indeterminate'] as const).find(has) ?? 'passed'
}

/** Every free phone has its next flow, and these are the assignments. */
export const served = <Q extends Queue>(queue: Q): { queue: Q; assignments: Assignment[] } => {
  const assignments: Assignment[] = []
  let now = queue
  for (let next = nextAssignment(now); next; next = nextAssignment(now)) {
    assignments.push(next)
    now = assigned(now, next)
  }
  return { queue: now, assignments }
}

/** Flows wait, and no phone runs one. */
export const isUnserved = (queue: Queue): boolean =>
  verdictOf(queue) === undefined && runningOf(served(queue).queue).length === 0
