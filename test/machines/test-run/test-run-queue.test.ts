import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AttemptEnd,
  abandonedQueue,
  attemptEnded,
  cancelledQueue,
  isUnserved,
  joined,
  left,
  type Queue,
  queued,
  resumedQueue,
  runningOf,
  served,
  verdictOf,
  withoutPhones,
} from '../../../machines/test-run/test-run-queue.ts'
import type { PlannedFlow } from '../../../src/contracts/events/test-run.ts'
import type { Verdict } from '../../../src/contracts/flows/test-run.ts'
import { propertyRuns } from '../../support/property-runs.ts'

type Plan = Partial<Pick<PlannedFlow, 'deviceId' | 'after' | 'needsPassed'>>

const MOVES_MAX = 3

const queueOf = (plans: readonly Plan[], more: Partial<Queue> = {}): Queue => ({
  flows: plans.map((plan, at) =>
    queued({ file: `/${at}.yaml`, name: `${at}`, deviceId: null, after: null, needsPassed: false, ...plan }),
  ),
  phones: {},
  retries: 0,
  failFast: false,
  isClosed: false,
  ...more,
})

/** Every free phone takes what is next after each change. */
const following = (queue: Queue, ...changes: readonly ((queue: Queue) => Queue)[]): Queue =>
  changes.reduce((now, change) => served(change(now)).queue, queue)

const join = (phone: string) => (queue: Queue) => joined(queue, phone)
const leave = (phone: string) => (queue: Queue) => left(queue, phone)
const end =
  (flow: number, verdict: Verdict, more: Partial<AttemptEnd> = {}) =>
  (queue: Queue) =>
    attemptEnded(queue, { flow, verdict, attempt: queue.flows[flow]?.attempts ?? 0, lostPhone: false, ...more })
const lose = (flow: number) => end(flow, 'indeterminate', { lostPhone: true })

const phonesOf = (queue: Queue) => queue.flows.map(({ state, phone }) => (state === 'running' ? phone : null))
const verdictsOf = ({ flows }: Queue) => flows.map(({ verdict }) => verdict)

test('each free phone takes the next flow, one at a time', () => {
  const begun = following(queueOf([{}, {}, {}]), join('p1'), join('p2'))
  expect(phonesOf(begun)).toEqual(['p1', 'p2', null])
  expect(phonesOf(following(begun, end(1, 'passed')))).toEqual(['p1', null, 'p2'])
})

test('every phone runs every flow that is meant for it, and no other', () => {
  const begun = following(queueOf([{ deviceId: 'p1' }, { deviceId: 'p1' }, { deviceId: 'p2' }]), join('p2'), join('p3'))
  expect(phonesOf(begun)).toEqual([null, null, 'p2'])
  expect(phonesOf(following(begun, join('p1')))).toEqual(['p1', null, 'p2'])
})

describe('order', () => {
  const ordered = [{}, { after: 0 }, { after: 1 }]

  test('one begins when the one before it has ended, however that was', () => {
    const begun = following(queueOf(ordered), join('p1'), join('p2'))
    expect(phonesOf(begun)).toEqual(['p1', null, null])
    expect(phonesOf(following(begun, end(0, 'failed')))[1]).not.toBeNull()
  })

  test('one that is tried again is still before the others', () => {
    const begun = following(queueOf(ordered, { retries: 1 }), join('p1'), end(0, 'failed'))
    expect(begun.flows.map(({ state }) => state)).toEqual(['running', 'waiting', 'waiting'])
  })

  test('continueOnFailure false skips all that follow a failure', () => {
    const strict = ordered.map(flow => ({ ...flow, needsPassed: 'after' in flow }))
    const failed = following(queueOf(strict), join('p1'), end(0, 'failed'))
    expect(verdictsOf(failed)).toEqual(['failed', 'skipped', 'skipped'])
    expect(verdictOf(failed)).toBe('failed')
    expect(verdictsOf(following(queueOf(strict), join('p1'), end(0, 'passed')))).toEqual(['passed', null, null])
  })
})

describe('retries', () => {
  test('a flow that does not pass is tried so many times more', () => {
    const once = following(queueOf([{}], { retries: 1 }), join('p1'), end(0, 'failed'))
    expect(once.flows[0]).toMatchObject({ state: 'running', attempts: 2, retries: 1 })
    expect(verdictsOf(following(once, end(0, 'failed')))).toEqual(['failed'])
    expect(verdictsOf(following(once, end(0, 'passed')))).toEqual(['passed'])
  })

  test('one that was cancelled is not tried again', () => {
    expect(verdictsOf(following(queueOf([{}], { retries: 5 }), join('p1'), end(0, 'cancelled')))).toEqual(['cancelled'])
  })

  test('an end that is told twice counts once', () => {
    const again = following(queueOf([{}], { retries: 2 }), join('p1'), end(0, 'failed'))
    expect(following(again, end(0, 'failed', { attempt: 1 }))).toEqual(again)
  })
})

describe('lost phones', () => {
  test('the flow begins again on another phone, and no retry is used up', () => {
    const moved = following(queueOf([{}]), join('p1'), join('p2'), lose(0))
    expect(moved.flows[0]).toMatchObject({ state: 'running', phone: 'p2', attempts: 2, retries: 0, moves: 1 })
  })

  test('the lost phone itself takes nothing until it joins again', () => {
    const lost = following(queueOf([{}, {}]), join('p1'), lose(0))
    expect(phonesOf(lost)).toEqual([null, null])
    expect(isUnserved(lost)).toBe(true)
    expect(phonesOf(following(lost, join('p1')))).toEqual(['p1', null])
  })

  test('a flow of one phone alone does not move: it is tried again where a retry is left', () => {
    const plan = [{ deviceId: 'p1' }]
    expect(verdictsOf(following(queueOf(plan), join('p1'), join('p2'), lose(0)))).toEqual(['indeterminate'])
    const waiting = following(queueOf(plan, { retries: 1 }), join('p1'), join('p2'), lose(0))
    expect(phonesOf(waiting)).toEqual([null])
    expect(phonesOf(following(waiting, join('p1')))).toEqual(['p1'])
  })

  test('a flow that loses every phone ends', () => {
    const losses = Array.from({ length: MOVES_MAX + 1 }, () => [lose(0), join('p1')]).flat()
    const over = following(queueOf([{}]), join('p1'), ...losses)
    expect(over.flows[0]).toMatchObject({ verdict: 'indeterminate', attempts: MOVES_MAX + 1 })
  })

  test('a phone that leaves while it runs a flow is not free when the flow ends', () => {
    const gone = following(queueOf([{}, {}]), join('p1'), leave('p1'), end(0, 'passed'))
    expect(phonesOf(gone)).toEqual([null, null])
    const back = following(queueOf([{}, {}]), join('p1'), leave('p1'), join('p1'))
    expect(phonesOf(back)).toEqual(['p1', null])
    expect(phonesOf(following(back, end(0, 'passed')))).toEqual([null, 'p1'])
  })
})

describe('no further attempt begins', () => {
  test('after a failure that is one too many; those under way go on and are not tried again', () => {
    const begun = following(queueOf([{}, {}, {}], { failFast: true, retries: 1 }), join('p1'), join('p2'))
    const tried = following(begun, end(0, 'failed'))
    expect(verdictsOf(tried)).toEqual([null, null, null])
    const failed = following(tried, end(0, 'failed'))
    expect(verdictsOf(failed)).toEqual(['failed', null, 'skipped'])
    expect(verdictsOf(following(failed, end(1, 'failed')))).toEqual(['failed', 'failed', 'skipped'])
  })

  test('after a cancellation', () => {
    const cancelled = following(queueOf([{}, {}], { retries: 3 }), join('p1'), cancelledQueue)
    expect(verdictsOf(cancelled)).toEqual([null, 'cancelled'])
    expect(verdictsOf(following(cancelled, lose(0)))).toEqual(['indeterminate', 'cancelled'])
  })

  test('when no phone came in time', () => {
    expect(verdictsOf(withoutPhones(queueOf([{}, {}])))).toEqual(['indeterminate', 'indeterminate'])
  })

  test('in a run that was abandoned', () => {
    expect(verdictsOf(abandonedQueue(following(queueOf([{}, {}]), join('p1'))))).toEqual(['cancelled', 'cancelled'])
  })
})

test('a flow that was not run to its end says why', () => {
  const reasonsOf = ({ flows }: Queue) => flows.map(({ reason }) => reason)
  const strict = [{}, { after: 0, needsPassed: true }]
  const blocked = following(queueOf(strict), join('p1'), end(0, 'failed'))
  expect(reasonsOf(blocked)).toEqual([null, expect.stringContaining('did not pass')])
  const enough = following(queueOf([{}, {}], { failFast: true }), join('p1'), end(0, 'failed'))
  expect(reasonsOf(enough)).toEqual([null, expect.stringContaining('before it failed')])
  expect(reasonsOf(withoutPhones(queueOf([{}])))).toEqual([expect.stringContaining('no phone')])
  expect(reasonsOf(abandonedQueue(following(queueOf([{}]), join('p1'))))).toEqual([
    expect.stringContaining('cancelled'),
  ])
})

test('a later process goes on with what ran, and looks for phones anew', () => {
  const back = resumedQueue(following(queueOf([{}, {}, {}]), join('p1'), join('p2'), end(0, 'passed'), leave('p1')))
  expect(runningOf(back)).toEqual([
    { flow: 1, attempt: 1, deviceId: 'p2' },
    { flow: 2, attempt: 1, deviceId: 'p1' },
  ])
  expect(back.phones).toEqual({ p1: 'busy', p2: 'busy' })
})

describe('laws', () => {
  const PHONES = ['p1', 'p2', 'p3']
  const plans = fc
    .array(
      fc.record({
        deviceId: fc.option(fc.constantFrom(...PHONES)),
        follows: fc.boolean(),
        needsPassed: fc.boolean(),
      }),
      { minLength: 1, maxLength: 7 },
    )
    .map(all =>
      all.map(({ deviceId, follows, needsPassed }, at): Plan => {
        const isAfter = follows && at > 0
        return { deviceId, after: isAfter ? at - 1 : null, needsPassed: isAfter && needsPassed }
      }),
    )
  const happening = fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('join', 'leave'), phone: fc.constantFrom(...PHONES) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        type: fc.constant('end' as const),
        pick: fc.nat(9),
        verdict: fc.constantFrom<Verdict>('passed', 'failed', 'indeterminate', 'cancelled'),
        lostPhone: fc.boolean(),
        stale: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('resume', 'cancel') }) },
  )
  type Happening = typeof happening extends fc.Arbitrary<infer Each> ? Each : never

  const happens = (queue: Queue, what: Happening): Queue => {
    if ('phone' in what) return what.type === 'join' ? joined(queue, what.phone) : left(queue, what.phone)
    if (!('pick' in what)) return what.type === 'resume' ? resumedQueue(queue) : cancelledQueue(queue)
    const running = runningOf(queue)
    const chosen = running[what.pick % Math.max(1, running.length)]
    if (!chosen) return queue
    const { verdict, lostPhone, stale } = what
    return attemptEnded(queue, { flow: chosen.flow, attempt: chosen.attempt - (stale ? 1 : 0), verdict, lostPhone })
  }

  /** Phones come until every flow has ended; a step that ends nothing would be one too many. */
  const toEnd = (queue: Queue): Queue => {
    let now = queue
    for (let step = 0; verdictOf(now) === undefined && step < 500; step += 1) {
      now = served(PHONES.reduce((each, phone) => joined(each, phone), now)).queue
      const [first] = runningOf(now)
      if (first) now = attemptEnded(now, { ...first, verdict: 'failed', lostPhone: step % 2 === 0 })
    }
    return now
  }

  test('each flow ends once, a phone runs one flow at a time, and no flow has more attempts than it may', () => {
    const run = fc.record({
      plans,
      retries: fc.nat(2),
      failFast: fc.boolean(),
      happenings: fc.array(happening, { maxLength: 60 }),
    })
    fc.assert(
      fc.property(run, ({ plans: all, retries, failFast, happenings }) => {
        let queue = queueOf(all, { retries, failFast })
        for (const what of happenings) {
          const before = queue
          const { queue: next, assignments } = served(happens(before, what))
          queue = next
          for (const [at, flow] of before.flows.entries())
            if (flow.state === 'ended') expect(queue.flows[at]).toEqual(flow)
          const phones = runningOf(queue).map(({ deviceId }) => deviceId)
          expect(new Set(phones).size).toBe(phones.length)
          for (const { flow, deviceId } of assignments) {
            const { deviceId: own, after: follows } = queue.flows[flow] as (typeof queue.flows)[number]
            expect([null, deviceId]).toContain(own)
            if (follows !== null) expect(queue.flows[follows]?.state).toBe('ended')
          }
          for (const { attempts } of queue.flows) expect(attempts).toBeLessThanOrEqual(1 + retries + MOVES_MAX)
          if (queue.isClosed) expect(assignments).toEqual([])
        }
        const over = toEnd(queue)
        expect(verdictOf(over)).toBeDefined()
        for (const { verdict } of over.flows) expect(verdict).not.toBeNull()
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })
})
