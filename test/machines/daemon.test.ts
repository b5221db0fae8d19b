import { describe, expect, test } from 'vitest'
import type { AnyMachineSnapshot } from 'xstate'
import { daemon } from '../../machines/daemon/daemon.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import { given } from '../support/runtime/given.ts'

const ask = (type: string, requestId = 'r1') => ({ type, at: 1, requestId })
const probed = (found: string, pid: number | null = null) => ({ type: 'probe.answered', at: 2, found, pid })
const late = { type: 'deadline.passed', at: 9 }
const ready = { type: 'daemon.ready', at: 3, pid: 42 }
/** What the machine asks of a port. */
const inputOf = ({ children }: AnyMachineSnapshot, id: string) =>
  (children as Record<string, { getPersistedSnapshot(): { input?: unknown } }>)[id]?.getPersistedSnapshot().input

const stopped = { type: 'daemon.stopped', at: 3 }

const LAUNCH = ['launch', 'ready', 'deadline']
const AWAIT = ['ready', 'deadline']
const TERMINATE = ['terminate', 'deadline']

describe('what a probe finds decides what a request does', () => {
  test.each([
    ['start.requested', 'managed', 7, 'running', ['already_running'], []],
    ['start.requested', 'absent', null, 'busy.starting', [], LAUNCH],
    ['start.requested', 'refused', null, 'busy.starting', [], LAUNCH],
    ['start.requested', 'absent', 7, 'busy.starting', [], LAUNCH],
    ['start.requested', 'silent', 7, 'busy.awaiting', [], AWAIT],
    ['start.requested', 'silent', null, 'unowned', ['DAEMON_START_FAILED'], []],
    ['start.requested', 'unreachable', null, 'unowned', ['DAEMON_START_FAILED'], []],
    ['start.requested', 'foreign', null, 'unowned', ['DAEMON_START_FAILED'], []],
    ['stop.requested', 'managed', 7, 'busy.stopping', [], TERMINATE],
    ['stop.requested', 'silent', 7, 'busy.stopping', [], TERMINATE],
    ['stop.requested', 'absent', 7, 'busy.stopping', [], TERMINATE],
    ['stop.requested', 'absent', null, 'not_running', ['not_running'], []],
    ['stop.requested', 'silent', null, 'unowned', ['unowned'], []],
    ['stop.requested', 'foreign', null, 'unowned', ['unowned'], []],
    ['restart.requested', 'managed', 7, 'busy.stopping', [], TERMINATE],
    ['restart.requested', 'silent', 7, 'busy.stopping', [], TERMINATE],
    ['restart.requested', 'refused', null, 'busy.starting', [], LAUNCH],
    ['restart.requested', 'foreign', null, 'unowned', ['DAEMON_START_FAILED'], []],
    ['status.requested', 'managed', 7, 'running', ['running'], []],
    ['status.requested', 'silent', 7, 'not_running', ['not_running'], []],
    ['status.requested', 'absent', null, 'not_running', ['not_running'], []],
    ['status.requested', 'unreachable', null, 'not_running', ['not_running'], []],
    ['status.requested', 'foreign', null, 'unowned', ['unowned'], []],
    ['socket.missed', 'managed', 7, 'running', ['running'], []],
    ['socket.missed', 'absent', null, 'busy.starting', [], LAUNCH],
    ['socket.missed', 'foreign', null, 'unowned', ['unowned'], []],
    ['socket.refused', 'managed', 7, 'running', ['running'], []],
    ['socket.refused', 'refused', null, 'busy.starting', [], LAUNCH],
    ['socket.refused', 'silent', 7, 'busy.awaiting', [], AWAIT],
    ['socket.refused', 'foreign', null, 'unowned', ['unowned'], []],
    ['identity.differed', 'managed', 7, 'busy.retiring', [], TERMINATE],
    ['identity.differed', 'absent', null, 'busy.starting', [], LAUNCH],
    ['identity.differed', 'silent', null, 'unowned', ['unowned'], []],
    ['identity.differed', 'foreign', null, 'unowned', ['unowned'], []],
  ])('%s, %s (live process: %s): %s', (type, found, pid, state, said, ports) => {
    const then = given(daemon, [ask(type)]).when(probed(found, pid))
    expect(then.state).toBe(state)
    expect(then.emitted.map(event => ('status' in event ? event.status : (event as { code?: string }).code))).toEqual(
      said,
    )
    expect(then.emitted.every(event => (event as { requestId?: string }).requestId === 'r1')).toBe(true)
    expect(then.ports).toEqual(ports)
  })
})

describe('every wait has a deadline', () => {
  const stopping = [ask('stop.requested'), probed('managed', 7)]

  test('a probe that is late is refused', () => {
    const then = given(daemon, [ask('status.requested')]).when(late)
    expect(then).toMatchObject({ state: 'not_running', emitted: [{ type: 'daemon.refused' }] })
  })

  test('a daemon that does not end is hurried, killed, and given up at last', () => {
    const signalOf = (events: StoredEvent[]) => {
      const { snapshot } = given(daemon, events.slice(0, -1)).when(events.at(-1) as StoredEvent)
      return inputOf(snapshot, 'terminate')
    }
    expect(signalOf(stopping)).toMatchObject({ signal: 'SIGTERM' })
    expect(signalOf([...stopping, late])).toMatchObject({ signal: 'SIGUSR2' })
    expect(signalOf([...stopping, late, late])).toMatchObject({ signal: 'SIGKILL' })
    expect(given(daemon, [...stopping, late, late]).when(late)).toMatchObject({
      state: 'running',
      emitted: [{ code: 'DAEMON_STOP_FAILED', message: 'process 7 is still there after SIGKILL' }],
    })
  })

  test('a deadline counts from the event that began the wait', () => {
    const { snapshot } = given(daemon, [ask('stop.requested')]).when(probed('managed', 7))
    expect(inputOf(snapshot, 'deadline')).toEqual({ since: 2, ms: 1_500 })
  })

  test('the daemon of another build is never killed', () => {
    const path = [ask('identity.differed'), probed('managed', 7)]
    expect(given(daemon, path).when(late)).toMatchObject({
      state: 'running',
      emitted: [{ code: 'DAEMON_STOP_FAILED', message: expect.stringContaining('(process 7) is at work') }],
    })
  })

  test('a process that does not come up is ended before the start is refused', () => {
    const path = [ask('start.requested'), probed('absent')]
    expect(given(daemon, path).when(late)).toMatchObject({ state: 'busy.abandoning', ports: ['abandon'], emitted: [] })
    const failed = { type: 'daemon.failed', at: 9, message: 'no /ping' }
    expect(given(daemon, [...path, late]).when(failed)).toMatchObject({
      state: 'not_running',
      emitted: [{ code: 'DAEMON_START_FAILED', message: 'no /ping' }],
    })
  })

  test('a frozen daemon is waited for, and named', () => {
    const path = [ask('start.requested'), probed('silent', 7)]
    expect(given(daemon, path).when(ready)).toMatchObject({ state: 'running', emitted: [{ status: 'started' }] })
    expect(given(daemon, path).when(late)).toMatchObject({
      state: 'not_running',
      emitted: [{ message: expect.stringContaining('process 7 holds the socket') }],
    })
  })
})

describe('a daemon that ends by itself', () => {
  const running = [ask('start.requested'), probed('absent'), ready]
  const ended = (type: string, pid: number) => ({ type, at: 9, requestId: 'r9', pid })

  test.each(['daemon.idled', 'daemon.retired', 'daemon.unlinked', 'daemon.unserved', 'daemon.terminated'])(
    '%s: it does not run any more',
    type => {
      expect(given(daemon, running).when(ended(type, 42))).toMatchObject({
        state: 'not_running',
        emitted: [{ type: 'daemon.reported', requestId: 'r9', status: 'stopped', pid: 42 }],
      })
    },
  )

  test('and has a successor already leaves that one running', () => {
    expect(given(daemon, running).when(ended('daemon.unlinked', 41)).state).toBe('running')
  })

  test('under a request disturbs nothing', () => {
    const then = given(daemon, [...running, ask('stop.requested', 'r2')]).when(ended('daemon.idled', 42))
    expect(then).toMatchObject({ state: 'busy.probing', emitted: [{ type: 'daemon.reported', requestId: 'r9' }] })
  })
})

describe('starting and stopping', () => {
  test('a start is reported when the daemon answers', () => {
    const then = given(daemon, [ask('start.requested'), probed('absent')]).when(ready)
    expect(then.state).toBe('running')
    expect(then.emitted).toEqual([{ type: 'daemon.reported', requestId: 'r1', status: 'started', pid: 42 }])
  })

  test('only a refused connection has the stale socket deleted', () => {
    const input = (type: string) =>
      inputOf(
        given(daemon, [ask(type)]).when(probed(type === 'socket.missed' ? 'absent' : 'refused')).snapshot,
        'launch',
      )
    expect(input('socket.refused')).toMatchObject({ removeStaleSocket: true })
    expect(input('socket.missed')).toMatchObject({ removeStaleSocket: false })
  })

  test.each(['restart.requested', 'identity.differed'])('%s stops, then starts, then says started', type => {
    const path = [ask(type), probed('managed', 7)]
    expect(given(daemon, path).when(stopped)).toMatchObject({ state: 'busy.starting', emitted: [] })
    expect(given(daemon, [...path, stopped]).when(ready).emitted).toMatchObject([{ status: 'started' }])
  })

  test('a stop is reported, and one that fails leaves it running', () => {
    const path = [ask('stop.requested'), probed('managed', 7)]
    expect(given(daemon, path).when(stopped)).toMatchObject({ state: 'not_running', emitted: [{ status: 'stopped' }] })
    expect(given(daemon, path).when({ type: 'daemon.stuck', at: 4, message: 'still there' })).toMatchObject({
      state: 'running',
      emitted: [{ code: 'DAEMON_STOP_FAILED', message: 'still there' }],
    })
  })

  test('a start that fails says so', () => {
    const then = given(daemon, [ask('start.requested'), probed('absent')]).when({
      type: 'daemon.failed',
      at: 3,
      message: 'no /ping within 3000 ms',
    })
    expect(then).toMatchObject({ state: 'not_running', emitted: [{ code: 'DAEMON_START_FAILED' }] })
  })

  test('a second request meanwhile is told that it is busy, and disturbs nothing', () => {
    const then = given(daemon, [ask('start.requested')]).when(ask('stop.requested', 'r2'))
    expect(then).toMatchObject({ state: 'busy.probing', emitted: [{ type: 'daemon.busy', requestId: 'r2' }] })
    expect(then.context).toMatchObject({ request: { id: 'r1', ask: 'start' } })
  })
})
