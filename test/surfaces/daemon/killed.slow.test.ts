/** The daemon is killed by SIGKILL at each state of a request: nothing is ever sent twice, counted in the daemon. */
import { describe, expect, test } from 'vitest'
import { MOMENTS, type Moment } from '../../support/daemon/daemon-app.ts'
import { command, daemonLab } from '../../support/daemon/daemon-lab.ts'
import { until } from '../../support/until.ts'

const lab = daemonLab()
const KINDS = ['exec', 'flat', 'screenshot', 'snapshot'] as const

/** The table says if the execution has arrived by then, and how the call ends: the next daemon gets one of which no byte was sent. */
const EXPECTED: Record<Moment, { executed: number; outcome: 'next' | 'lost' | 'answered'; knowsId: boolean }> = {
  'command-asked': { executed: 1, outcome: 'next', knowsId: true },
  'request-arrived': { executed: 0, outcome: 'lost', knowsId: false },
  'execution-runs': { executed: 1, outcome: 'lost', knowsId: false },
  'head-sent': { executed: 1, outcome: 'lost', knowsId: true },
  'half-sent': { executed: 1, outcome: 'lost', knowsId: true },
  'all-sent': { executed: 1, outcome: 'answered', knowsId: true },
}

const cases = MOMENTS.flatMap(moment => KINDS.map(kind => [moment, kind] as const))

describe('killed when', () => {
  test.each(cases)('%s: %s', async (moment, kind) => {
    const { manage, call, executed, alive } = lab()
    const { outcome, knowsId, ...expected } = EXPECTED[moment]
    const env = moment === 'command-asked' ? { TEST_KILLED_AT: moment } : {}
    expect(await manage('start', env)).toMatchObject({ daemon: { status: 'started' } })
    const proxied = await call(command(kind, 'c1', moment === 'command-asked' ? {} : { killedAt: moment }))
    if (outcome === 'next' || outcome === 'answered')
      expect(proxied).toMatchObject({ kind: 'answered', executionId: 'id-of-c1' })
    else if (kind === 'snapshot') expect(proxied).toMatchObject({ kind: 'direct', isRerun: true })
    else {
      const details = knowsId ? { executionId: 'id-of-c1' } : {}
      expect(proxied).toMatchObject({ kind: 'lost', error: { code: 'DAEMON_PROXY_ERROR', details } })
    }
    await until(() => alive().length === (outcome === 'next' ? 1 : 0), 'its death')
    expect(executed('c1')).toBe(expected.executed)
  })
})

test.each(KINDS)('a connection that is cut while the daemon lives on: %s', async kind => {
  const { manage, call, executed, alive } = lab()
  await manage('start')
  const proxied = await call(command(kind, 'c1', { cutsAnswer: true }))
  expect(proxied.kind).toBe(kind === 'snapshot' ? 'direct' : 'lost')
  expect(executed('c1')).toBe(1)
  expect(alive()).toHaveLength(1)
})

test('an answer of 2 MB comes whole', async () => {
  const { call } = lab()
  const proxied = await call(command('exec', 'c1', { answerBytes: 2_000_000 }))
  expect(proxied.kind === 'answered' && JSON.parse(proxied.body).padding).toHaveLength(2_000_000)
})

test('a caller that is interrupted is told when nobody says how far its execution was', async () => {
  const { manage, start, facts, executed } = lab()
  await manage('start')
  const caller = start(['call', JSON.stringify(command('exec', 'c1', { runsMs: 600 }))])
  await until(() => executed('c1') === 1, 'the execution')
  caller.child.kill('SIGINT')
  // The executions of this app are not those of svc: it answers no request to cancel one.
  const error = { code: 'EXECUTION_CANCELLED', details: { dispatched: 'unknown' } }
  expect((await caller.ended).said).toMatchObject({ kind: 'cancelled', error })
  await until(() => facts().some(({ settled }) => settled === 'c1'), 'its end')
})
