import { describe, expect, test } from 'vitest'
import { dispatch } from '../../machines/dispatch.ts'
import { given } from '../support/given.ts'

const command = (facts: Record<string, unknown> = {}) => ({
  type: 'command.given',
  at: 1,
  commandId: 'c1',
  kind: 'exec',
  daemonDisabled: false,
  relativePath: false,
  windows: false,
  pathTooLong: false,
  ...facts,
})
const event = (type: string, more: Record<string, unknown> = {}) => ({ type, at: 2, ...more })

describe('the selection rules, before any daemon is touched', () => {
  test.each([['daemonDisabled'], ['relativePath'], ['windows'], ['pathTooLong']])('%s runs direct', fact => {
    const then = given(dispatch, []).when(command({ [fact]: true }))
    expect(then).toMatchObject({ state: 'direct', emitted: [{ type: 'command.direct', rerun: false }], ports: [] })
  })

  test('otherwise a daemon is made sure of', () => {
    expect(given(dispatch, []).when(command())).toMatchObject({ state: 'ensuring', emitted: [], ports: ['open'] })
  })

  test.each([
    event('daemon.foreign'),
    event('daemon.unready', { message: 'no' }),
    event('deadline.passed'),
    event('port.failed', { port: 'ensure', message: 'x' }),
  ])('$type runs direct', answer => {
    expect(given(dispatch, [command()]).when(answer)).toMatchObject({ state: 'direct', emitted: [{ rerun: false }] })
  })

  test('a ready daemon gets the request', () => {
    expect(given(dispatch, [command()]).when(event('daemon.ready'))).toMatchObject({
      state: 'sending.ready',
      ports: ['write'],
    })
  })
})

describe('before and after the body was written', () => {
  const ready = (kind: string) => [command({ kind }), event('daemon.ready')]
  const sent = (kind: string) => [...ready(kind), event('request.written')]

  test.each(['exec', 'flat', 'screenshot', 'snapshot'])('%s: a failure before it falls back to a direct run', kind => {
    const then = given(dispatch, ready(kind)).when(event('request.failed', { message: 'refused' }))
    expect(then).toMatchObject({ state: 'direct', emitted: [{ type: 'command.direct', rerun: false }] })
  })

  test.each(['exec', 'flat', 'screenshot'])('%s: a lost answer is never run again', kind => {
    const then = given(dispatch, sent(kind)).when(event('response.lost', { message: 'socket hang up' }))
    expect(then).toMatchObject({ state: 'lost', emitted: [{ type: 'command.lost', message: 'socket hang up' }] })
  })

  test('snapshot: a lost answer may be run again direct, once: after that the command is over', () => {
    const lost = event('response.lost', { message: 'socket hang up' })
    const then = given(dispatch, sent('snapshot')).when(lost)
    expect(then).toMatchObject({ state: 'direct', emitted: [{ type: 'command.direct', rerun: true }] })
    expect(then.snapshot.status).toBe('done')
  })

  test.each(['deadline.passed', 'port.failed'])('%s after the write leaves the doubt, whatever the command', type => {
    expect(given(dispatch, sent('snapshot')).when(event(type, { port: 'post', message: 'x' })).state).toBe('lost')
  })

  test('an answer is passed on', () => {
    const then = given(dispatch, sent('exec')).when(event('response.received', { body: { ok: true } }))
    expect(then).toMatchObject({ state: 'answered', emitted: [{ type: 'command.answered', body: { ok: true } }] })
  })
})

describe('a caller that is interrupted', () => {
  const interrupted = event('command.interrupted', { dispatched: false })
  const sent = [command(), event('daemon.ready'), event('request.written')]

  test.each([
    ['while the daemon is asked', [command()]],
    ['while a daemon is started', [command(), event('daemon.absent', { message: 'none' })]],
    ['before the body is written', [command(), event('daemon.ready')]],
  ])('%s has sent nothing', (_, before) => {
    expect(given(dispatch, before).when(interrupted)).toMatchObject({
      state: 'cancelled',
      emitted: [{ type: 'command.ended', dispatched: false }],
      ports: [],
    })
  })

  test('after the body was written cancels the execution, and is not over before that is answered', () => {
    expect(given(dispatch, sent).when(event('command.interrupted', { dispatched: true }))).toMatchObject({
      state: 'sending.cancelling',
      emitted: [],
      ports: ['cancel'],
    })
  })

  const cancelling = [...sent, event('command.interrupted', { dispatched: true })]

  test.each([
    [true, { dispatched: true }],
    [false, { dispatched: false }],
    ['unknown', {}],
  ])('is told how far it was: %s', (dispatched, said) => {
    expect(given(dispatch, cancelling).when(event('command.cancelled', said))).toMatchObject({
      state: 'cancelled',
      emitted: [{ type: 'command.ended', dispatched }],
    })
  })

  test('is told that nobody knows when the cancellation fails', () => {
    expect(given(dispatch, cancelling).when(event('port.failed', { port: 'cancel', message: 'x' }))).toMatchObject({
      state: 'cancelled',
      emitted: [{ type: 'command.ended', dispatched: 'unknown' }],
    })
  })

  test('gets the answer of an execution that had ended before', () => {
    const then = given(dispatch, cancelling).when(event('response.received', { body: { ok: true } }))
    expect(then).toMatchObject({ state: 'answered', emitted: [{ type: 'command.answered' }] })
  })
})
