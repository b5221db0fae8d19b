/** Processes that are stopped in mid-execution, as by a laptop that sleeps: what the phone answered meanwhile is the truth. */
import { expect, test } from 'vitest'
import { type SvcLab, svcLab } from '../../support/cli/svc-lab.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { until, wait } from '../../support/until.ts'

const lab = svcLab()

/** The phone answers after 800 ms; the deadline passes 6 s after the dispatch, and the process wakes up behind it. */
const TIMEOUT_MS = 1_000
const STOPPED_MS = 6_500
const execution = payloadOf([{ id: 'z', type: 'sleep', params: { durationMs: 800 } }], { timeoutMs: TIMEOUT_MS })

const stopped = async (pids: readonly number[], { busy }: SvcLab) => {
  await busy(1)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  await wait(STOPPED_MS)
  for (const pid of pids) process.kill(pid, 'SIGCONT')
}

const success = { envelope: { status: 'success', stepResults: [{ id: 'z', success: true }] } }

test.concurrent('the server', async () => {
  const here = await lab()
  const { child, stderr } = here.start(['serve', '--port', '0'])
  await until(() => stderr().includes('\n'), 'the start line')
  const [, url = ''] = /listens on (\S+)/.exec(stderr()) ?? []
  const answer = call(`${url}/execute`, { body: { execution } })
  await stopped([child.pid ?? 0], here)
  const { status, json, headers } = await answer
  expect({ status, json }).toMatchObject({ status: 200, json: { ok: true, ...success } })
  const receipt = await call(`${url}/executions/${headers['svc-execution-id']}`)
  expect(receipt.json).toMatchObject({ execution: { state: 'settled', result: success } })
  expect(here.seen()).toBe(1)
})

const throughDaemon = async () => {
  const here = await lab()
  await here.svc(['daemon', 'start'])
  const pid = here.metadata()?.pid ?? 0
  expect(pid).toBeGreaterThan(0)
  return { here, daemon: pid, command: here.start(['exec', JSON.stringify(execution)]) }
}

test.concurrent('the daemon, while its caller goes on', async () => {
  const { here, daemon, command } = await throughDaemon()
  await stopped([daemon], here)
  const ended = await command.ended
  expect([ended.code, ended.json()]).toMatchObject([0, success])
  expect(here.seen()).toBe(1)
})

test.concurrent.each(['daemon', 'caller'])('the daemon and its caller, the %s awake first', async first => {
  const { here, daemon, command } = await throughDaemon()
  const pids = [daemon, command.child.pid ?? 0]
  await stopped(first === 'daemon' ? pids : pids.reverse(), here)
  const ended = await command.ended
  expect([ended.code, ended.json()]).toMatchObject([0, success])
  expect(here.seen()).toBe(1)
})
