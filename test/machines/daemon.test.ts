import { describe, expect, test } from 'vitest'
import { daemon } from '../../machines/daemon.ts'
import { given } from '../support/given.ts'

const ask = (type: string, requestId = 'r1') => ({ type, at: 1, requestId })
const found = (finding: string, pid: number | null = null) => ({ type: 'probe.answered', at: 2, finding, pid })
const ready = { type: 'daemon.ready', at: 3, pid: 42 }
const stopped = { type: 'daemon.stopped', at: 3 }

describe('what a look finds decides what a request does', () => {
  test.each([
    ['start.requested', 'managed', 'running', ['already_running'], []],
    ['start.requested', 'silent', 'busy.starting', [], ['launch']],
    ['start.requested', 'foreign', 'unowned', ['DAEMON_START_FAILED'], []],
    ['stop.requested', 'managed', 'busy.stopping', [], ['terminate']],
    ['stop.requested', 'silent', 'not_running', ['not_running'], []],
    ['stop.requested', 'foreign', 'unowned', ['not_running'], []],
    ['restart.requested', 'managed', 'busy.stopping', [], ['terminate']],
    ['restart.requested', 'silent', 'busy.starting', [], ['launch']],
    ['restart.requested', 'foreign', 'unowned', ['DAEMON_START_FAILED'], []],
    ['status.requested', 'managed', 'running', ['running'], []],
    ['status.requested', 'silent', 'not_running', ['not_running'], []],
    ['status.requested', 'foreign', 'unowned', ['unowned'], []],
    ['socket.missed', 'managed', 'running', ['running'], []],
    ['socket.missed', 'silent', 'busy.starting', [], ['launch']],
    ['socket.missed', 'foreign', 'unowned', ['unowned'], []],
    ['socket.refused', 'managed', 'running', ['running'], []],
    ['socket.refused', 'silent', 'busy.starting', [], ['launch']],
    ['socket.refused', 'foreign', 'unowned', ['unowned'], []],
    ['identity.differed', 'managed', 'busy.stopping', [], ['terminate']],
    ['identity.differed', 'silent', 'busy.starting', [], ['launch']],
    ['identity.differed', 'foreign', 'unowned', ['unowned'], []],
  ])('%s, %s: %s', (type, finding, state, said, ports) => {
    const then = given(daemon, [ask(type)]).when(found(finding, 7))
    expect(then.state).toBe(state)
    expect(then.emitted.map(event => ('status' in event ? event.status : (event as { code?: string }).code))).toEqual(
      said,
    )
    expect(then.emitted.every(event => (event as { requestId?: string }).requestId === 'r1')).toBe(true)
    expect(then.ports).toEqual(ports)
  })
})

describe('starting and stopping', () => {
  test('a start is reported when the daemon answers', () => {
    const then = given(daemon, [ask('start.requested'), found('silent')]).when(ready)
    expect(then.state).toBe('running')
    expect(then.emitted).toEqual([{ type: 'daemon.reported', requestId: 'r1', status: 'started', pid: 42 }])
  })

  test('only a refused connection has the stale socket deleted', () => {
    const input = (type: string) => {
      const { snapshot } = given(daemon, [ask(type)]).when(found('silent'))
      return (
        snapshot.children as Record<string, { getPersistedSnapshot(): { input?: unknown } }>
      ).launch?.getPersistedSnapshot().input
    }
    expect(input('socket.refused')).toMatchObject({ removeStaleSocket: true })
    expect(input('socket.missed')).toMatchObject({ removeStaleSocket: false })
  })

  test.each(['restart.requested', 'identity.differed'])('%s stops, then starts, then says started', type => {
    const path = [ask(type), found('managed', 7)]
    expect(given(daemon, path).when(stopped)).toMatchObject({ state: 'busy.starting', emitted: [] })
    expect(given(daemon, [...path, stopped]).when(ready).emitted).toMatchObject([{ status: 'started' }])
  })

  test('a stop is reported, and one that fails leaves it running', () => {
    const path = [ask('stop.requested'), found('managed', 7)]
    expect(given(daemon, path).when(stopped)).toMatchObject({ state: 'not_running', emitted: [{ status: 'stopped' }] })
    expect(given(daemon, path).when({ type: 'daemon.stuck', at: 4, message: 'still there' })).toMatchObject({
      state: 'running',
      emitted: [{ code: 'DAEMON_STOP_FAILED', message: 'still there' }],
    })
  })

  test('a start that fails says so', () => {
    const then = given(daemon, [ask('start.requested'), found('silent')]).when({
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
