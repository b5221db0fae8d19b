/** The table of proxied commands: which way each goes, and what a lost answer or an interrupted caller leads to. */
import { describe, expect, test } from 'vitest'
import {
  DISPATCH_STATES,
  type DispatchContext,
  type DispatchFact,
  type DispatchState,
  nextRow,
} from '../../machines/dispatch/dispatch-table.ts'
import type { CommandKind } from '../../src/contracts/events/dispatch.ts'

const command = (facts: Record<string, unknown> = {}): DispatchFact => ({
  type: 'command.given',
  commandId: 'c1',
  kind: 'exec',
  daemonDisabled: false,
  relativePath: false,
  windows: false,
  pathTooLong: false,
  ...facts,
})

/** The state after all events, and how the last one ended the command, if it did. */
const afterEvents = (...events: readonly DispatchFact[]) => {
  const context: DispatchContext = { commandId: 'c1', kind: 'exec' }
  let state: DispatchState = 'choosing'
  let end: string | null = null
  for (const event of events) {
    if (event.type === 'command.given') context.kind = event.kind
    const row = nextRow(state, event, context)
    if (!row) throw new Error(`${state} takes no ${event.type}`)
    ;[, , , state, end] = row
  }
  return { state, end, step: DISPATCH_STATES[state] }
}

describe('the selection rules, before any daemon is touched', () => {
  test.each([['daemonDisabled'], ['relativePath'], ['windows'], ['pathTooLong']])('%s runs direct', fact => {
    expect(afterEvents(command({ [fact]: true }))).toEqual({ state: 'direct', end: 'goDirect', step: {} })
  })

  test('otherwise a daemon is made sure of', () => {
    expect(afterEvents(command())).toEqual({ state: 'ensuring', end: null, step: { port: 'open' } })
  })

  test.each<DispatchFact>([
    { type: 'daemon.foreign' },
    { type: 'daemon.unready', message: 'no' },
    { type: 'deadline.passed' },
    { type: 'port.failed', port: 'ensure', message: 'x' },
  ])('$type runs direct', answer => {
    expect(afterEvents(command(), answer)).toMatchObject({ state: 'direct', end: 'goDirect' })
  })

  test('a ready daemon gets the request', () => {
    expect(afterEvents(command(), { type: 'daemon.ready' })).toMatchObject({
      state: 'sending.ready',
      step: { port: 'write' },
    })
  })
})

describe('before and after the body was written', () => {
  const ready = (kind: CommandKind) => [command({ kind }), { type: 'daemon.ready' }] as const
  const sent = (kind: CommandKind) => [...ready(kind), { type: 'request.written' }] as const
  const lost = { type: 'response.lost', message: 'socket hang up' } as const

  test.each(['exec', 'flat', 'screenshot', 'snapshot'] as const)(
    '%s: a failure before it falls back to a direct run',
    kind => {
      const failed = { type: 'request.failed', message: 'refused' } as const
      expect(afterEvents(...ready(kind), failed)).toMatchObject({ state: 'direct', end: 'goDirect' })
    },
  )

  test.each(['exec', 'flat', 'screenshot'] as const)('%s: a lost answer is never run again', kind => {
    expect(afterEvents(...sent(kind), lost)).toMatchObject({ state: 'lost', end: 'giveUp' })
  })

  test('snapshot: a lost answer may be run again direct, once: after that the command is over', () => {
    expect(afterEvents(...sent('snapshot'), lost)).toEqual({ state: 'direct', end: 'runAgain', step: {} })
  })

  test.each([
    ['giveUpLate', { type: 'deadline.passed' }],
    ['giveUp', { type: 'port.failed', port: 'post', message: 'x' }],
  ] as const)('%s: nothing more is known after the write, whatever the command', (end, event) => {
    expect(afterEvents(...sent('snapshot'), event)).toMatchObject({ state: 'lost', end })
  })

  test('an answer is passed on', () => {
    expect(afterEvents(...sent('exec'), { type: 'response.received' })).toMatchObject({
      state: 'answered',
      end: 'answer',
    })
  })
})

describe('a caller that is interrupted', () => {
  const interrupted = { type: 'command.interrupted', dispatched: false } as const
  const sent = [command(), { type: 'daemon.ready' }, { type: 'request.written' }] as const

  test.each<[string, DispatchFact[]]>([
    ['while the daemon is asked', [command()]],
    ['while a daemon is started', [command(), { type: 'daemon.absent', message: 'none' }]],
    ['before the body is written', [command(), { type: 'daemon.ready' }]],
  ])('%s has sent nothing', (_, before) => {
    expect(afterEvents(...before, interrupted)).toEqual({ state: 'cancelled', end: 'cancel', step: {} })
  })

  const cancelling = [...sent, { type: 'command.interrupted', dispatched: true }] as const

  test('after the body was written cancels the execution, and is not over before that is answered', () => {
    expect(afterEvents(...cancelling)).toMatchObject({
      state: 'sending.cancelling',
      end: null,
      step: { port: 'cancel' },
    })
  })

  test.each<DispatchFact>([
    { type: 'command.cancelled', dispatched: true },
    { type: 'command.cancelled', dispatched: false },
    { type: 'command.cancelled' },
    { type: 'port.failed', port: 'cancel', message: 'x' },
  ])('is over once the cancellation is answered or fails: %j', said => {
    expect(afterEvents(...cancelling, said)).toMatchObject({ state: 'cancelled', end: 'cancel' })
  })

  test('gets the answer of an execution that had ended before', () => {
    expect(afterEvents(...cancelling, { type: 'response.received' })).toMatchObject({
      state: 'answered',
      end: 'answer',
    })
  })
})
