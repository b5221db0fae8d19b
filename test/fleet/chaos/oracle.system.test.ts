/** The oracle itself: it finds nothing in a true story, and each law in a story that breaks it. */
import { expect, test } from 'vitest'
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import type { TransitionRecord } from '../../../src/contracts/records/actor.ts'
import { judge } from '../../laws/laws.ts'
import type { Asked, Ran, Seen, Story, Watched } from '../../laws/story.ts'
import { hung } from '../../long/trial/answer.ts'
import { LONG, planOf } from './plan.ts'

const seen = (more: Partial<Seen> = {}): Seen => ({ phone: 0, wireId: 'e1.0', at: 120, ...more })
const did = { kind: 'answered', claim: 'did', executionId: 'e1' } as const
const denied = { kind: 'answered', claim: 'did-not', code: 'FLEET_HOST_GONE' } as const
const asked = (more: Partial<Asked> = {}): Asked => ({
  command: 'ask-0',
  key: undefined,
  host: 'h1',
  device: 'd',
  began: 100,
  ended: 200,
  answer: did,
  text: '{}',
  ...more,
})
const ran = (more: Partial<Ran> = {}): Ran => ({
  host: 'h1',
  executionId: 'e1',
  command: 'ask-0',
  phone: 0,
  acceptedAt: 105,
  epoch: 1,
  isForwarded: false,
  dispatches: [110],
  ends: ['execution.settled'],
  isWithdrawn: false,
  ...more,
})
const own = { executionId: 'e1', host: 'h1', state: 'settled' } as Receipt
const told = (more: object = {}) => ({ executionId: 'e1', owner: 'h1', own, byHost: { h1: own, h2: own }, ...more })
const step = (seq: number, more: Partial<TransitionRecord> = {}): TransitionRecord => ({
  seq,
  actor: 'device:d',
  machine: 'device',
  event: 'execution.requested',
  from: 'idle',
  to: 'running.accepted',
  at: 100 + seq,
  host: 'h1',
  ...more,
})
const steps = [step(1), step(2), step(3)]
const watched = (events: readonly TransitionRecord[], more: Partial<Watched> = {}): Watched => ({
  watcher: 'w',
  since: { h1: 0 },
  events,
  problems: [],
  ...more,
})

const storyOf = (more: Partial<Story> = {}): Story => ({
  networkPhones: [],
  seen: [seen()],
  asked: [asked()],
  ran: [ran()],
  journals: [{ host: 'h1', transitions: steps }],
  receipts: [told()],
  watched: [watched(steps)],
  unended: [],
  log: [],
  ...more,
})
const lawsOf = (story: Story) => [...new Set(judge(story).map(({ law }) => law))].sort()

/** The same phone, later, under another owner. */
const second = ran({ host: 'h2', executionId: 'e2', command: 'ask-1', epoch: 2, dispatches: [210] })
const secondAsked = asked({ command: 'ask-1', host: 'h2', answer: { ...did, executionId: 'e2' } })
const two = (more: Partial<Ran>, at = 220): Story =>
  storyOf({
    seen: [seen(), seen({ wireId: 'e2.0', at })],
    asked: [asked(), secondAsked],
    ran: [ran(), { ...second, ...more }],
  })

test('a true story breaks no law', () => {
  expect(judge(storyOf())).toEqual([])
  expect(judge(two({}))).toEqual([])
  expect(judge(storyOf({ watched: [watched([step(2), step(3)], { since: { h1: 1 } })] }))).toEqual([])
})

test.each<[string, Story, number[]]>([
  ['a request that a phone got twice', storyOf({ seen: [seen(), seen({ at: 130 })] }), [1]],
  ['a request that no journal knows', storyOf({ seen: [seen(), seen({ wireId: 'e9.0' })] }), [1]],
  ['an id that two hosts accepted', storyOf({ ran: [ran(), ran({ host: 'h2', dispatches: [], epoch: 2 })] }), [1]],
  ['a success that no phone saw', storyOf({ seen: [] }), [2]],
  ['a refusal of what a phone saw', storyOf({ asked: [asked({ answer: denied })] }), [2]],
  [
    'a refusal of a key that names what a phone saw',
    storyOf({ asked: [asked({ key: 'k', answer: { ...denied, executionId: 'e1' } })] }),
    [2],
  ],
  ['an execution without an end', storyOf({ ran: [ran({ ends: [] })] }), [3]],
  ['an execution with two ends', storyOf({ ran: [ran({ ends: ['execution.settled', 'port.failed'] })] }), [3]],
  [
    'a receipt that is not over',
    storyOf({ receipts: [told({ own: { ...own, state: 'dispatched' }, byHost: {} })] }),
    [3],
  ],
  [
    'two hosts that say different things',
    storyOf({ receipts: [told({ byHost: { h1: own, h2: { ...own, state: 'interrupted' } } })] }),
    [3],
  ],
  ['an earlier epoch after a later one', two({ epoch: 0 }), [4]],
  ['one epoch of two hosts', two({ epoch: 1 }), [4]],
  ['a late dispatch under an earlier epoch', two({ dispatches: [210], epoch: 0 }, 115), [4]],
  ['a cable where others reach the phone', { ...two({ epoch: undefined }), networkPhones: [0] }, [4]],
  ['a transition that was not told', storyOf({ watched: [watched([step(1), step(3)])] }), [5]],
  ['the last one not told', storyOf({ watched: [watched([step(1), step(2)])] }), [5]],
  ['a transition told twice', storyOf({ watched: [watched([step(1), step(2), step(2), step(3)])] }), [5]],
  [
    'a transition that is another one',
    storyOf({ watched: [watched([step(1), step(2), step(3, { to: 'idle' })])] }),
    [5],
  ],
  ['a stream that was refused', storyOf({ watched: [watched(steps, { problems: ['refused with 400'] })] }), [5]],
  [
    'a key that ran twice',
    storyOf({
      seen: [seen(), seen({ wireId: 'e2.0', at: 220 })],
      asked: [asked({ key: 'k' }), asked({ key: 'k', answer: { ...did, executionId: 'e2' } })],
      ran: [ran(), { ...second, command: 'ask-0' }],
    }),
    [2, 6],
  ],
  ['a request without an answer', storyOf({ asked: [asked({ answer: hung })] }), [7]],
  ['a host that did not come back', storyOf({ unended: ['h1 did not start'] }), [7]],
])('%s breaks its law', (_name, story, laws) => {
  expect(lawsOf(story)).toEqual(laws)
})

test('what a caller may be told of a repetition says nothing of the first request', () => {
  const story = storyOf({ asked: [asked({ key: 'k' }), asked({ key: 'k', host: 'h2', answer: denied })] })
  expect(judge(story)).toEqual([])
})

test('a seed always makes the same plan, and every fault leaves the servers a majority', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const plan = planOf(seed, LONG)
    expect(planOf(seed, LONG)).toEqual(plan)
    const nodes = plan.faults.filter(({ on }) => on === 'node')
    const overlaps = nodes.filter(({ atMs }, index) => index > 0 && atMs < endOf(nodes[index - 1]))
    expect(overlaps).toEqual([])
  }
})

const endOf = (fault: { atMs: number; forMs: number } | undefined) => (fault ? fault.atMs + fault.forMs : 0)
