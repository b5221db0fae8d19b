/** Two hundred devices at once, executing: nobody waits for another, nothing fails, memory stays bounded. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lab, startLab } from '../../../support/executions/lab.ts'

const DEVICES = 200
const ROUNDS = 2
/** Simulators, host, journal and the test runner itself, all in this one process. */
const RSS_MAX = 700 * 1024 * 1024

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ count: DEVICES, operator: 'socket' })
})
afterAll(() => lab.close())

test('200 devices execute at once, round after round', async () => {
  const actions = [
    { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
    { id: 'snap', type: 'snapshot' },
  ]
  const start = lab.services.clock.elapsed()
  const asked = new Map<string, string[]>()
  for (let round = 0; round < ROUNDS; round++) {
    const all = await Promise.all(
      lab.fleet.devices.map(({ serial }) => lab.execute(actions, { deviceId: serial, timeoutMs: 60_000 })),
    )
    const failed = all.filter(({ result }) => !result.ok || result.envelope.status !== 'success')
    for (const { deviceId = '', executionId = '' } of all)
      asked.set(deviceId, [...(asked.get(deviceId) ?? []), executionId])
    expect(failed.map(({ result }) => (result.ok ? result.envelope.error : result.error))).toEqual([])
  }
  const seconds = (lab.services.clock.elapsed() - start) / 1_000
  const rss = process.memoryUsage().rss
  console.info(
    `${DEVICES} devices x ${ROUNDS}: ${((DEVICES * ROUNDS) / seconds).toFixed(0)} executions/s, ${(rss / 1024 / 1024).toFixed(0)} MB for all in one process`,
  )
  expect(rss).toBeLessThan(RSS_MAX)
  const seen = lab.fleet.devices.map(({ serial, phone }) => [serial, phone.executions().map(({ wireId }) => wireId)])
  // One that is not ours names its execution here: another program of this machine reached a port that it had before.
  expect(seen).toEqual([...asked].map(([serial, ids]) => [serial, ids.map(id => `${id}.0`)]))
})
