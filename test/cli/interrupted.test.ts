/** Signals: the exit code says which one came, and what became of an execution is said, not guessed. */
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receipt } from '../../src/contracts/receipt.ts'
import { type Lab, startLab } from '../support/lab.ts'
import { type RunningCli, runCli, startCli } from '../support/run-cli.ts'
import { until } from '../support/until.ts'

let lab: Lab
let envs: NodeJS.ProcessEnv[]

beforeAll(async () => {
  lab = await startLab({ count: 4 })
  // A device that was left in the middle of an execution is busy with it: each test has one of its own.
  envs = lab.fleet.devices.map(({ serial }) => ({ HOME: lab.home, SVC_TCP_DEVICES: serial }))
})
afterAll(() => lab.close())

const receiptOn = (device: number): Receipt | undefined =>
  lab.services.journal().receipts({ deviceId: lab.fleet.devices[device]?.serial ?? '' })[0]

const startSleeping = async (device: number): Promise<RunningCli> => {
  const running = startCli(['sleep', '60000'], { env: envs[device] ?? {} })
  await until(() => receiptOn(device)?.state === 'dispatched', 'the execution to be dispatched')
  return running
}

test('SIGINT: 130, and what the receipt says is said on stderr', async () => {
  const running = await startSleeping(0)
  running.child.kill('SIGINT')
  const ended = await running.ended
  const { executionId = '' } = receiptOn(0) ?? {}
  expect(ended.code).toBe(130)
  expect(ended.stderr).toContain(`Execution ${executionId} is dispatched; waiting`)
  expect(ended.stderr).toContain(`Interrupted: execution ${executionId} was dispatched: the device may have`)
  expect(ended.json()).toMatchObject({ code: 'EXECUTION_INTERRUPTED', details: { executionId, dispatched: true } })

  const shown = await runCli(['executions', 'show', executionId], { env: envs[0] ?? {} })
  expect(shown.code).toBe(0)
  expect(shown.json()).toMatchObject({ execution: { executionId, state: 'interrupted' } })
})

test('SIGTERM while the device answers: 143, and the answer is printed all the same', async () => {
  const running = startCli(['sleep', '1000'], { env: envs[1] ?? {} })
  await until(() => receiptOn(1)?.state === 'dispatched', 'the execution to be dispatched')
  running.child.kill('SIGTERM')
  const ended = await running.ended
  expect(ended.code).toBe(143)
  expect(ended.json()).toMatchObject({ envelope: { status: 'success' } })
  expect(ended.stderr).toContain('the device has answered')
  expect(receiptOn(1)).toMatchObject({ state: 'settled' })
})

test('a second signal ends it at once, and the next call finds out what was left', async () => {
  const running = await startSleeping(2)
  running.child.kill('SIGTERM')
  await until(() => running.stderr().includes('waiting'), 'the first signal to be heard')
  running.child.kill('SIGTERM')
  expect(await running.ended).toMatchObject({ code: null, signal: 'SIGTERM', stdout: '' })

  expect(receiptOn(2)).toMatchObject({ state: 'dispatched' })
  const listed = await runCli(['executions', 'list', '--device', envs[2]?.SVC_TCP_DEVICES ?? ''], {
    env: envs[2] ?? {},
  })
  expect(listed.json()).toMatchObject({
    count: 1,
    executions: [{ state: 'interrupted', result: { error: { details: { dispatched: true } } } }],
  })
})

test('while the payload is still awaited: nothing was sent', async () => {
  const running = startCli(['exec', '-'], { env: envs[3] ?? {} })
  // More than a pipe holds: once it is taken, the command reads.
  await new Promise(resolve => running.child.stdin.write(' '.repeat(500_000), resolve))
  running.child.kill('SIGINT')
  const ended = await running.ended
  expect(ended.code).toBe(130)
  expect(ended.json()).toMatchObject({ code: 'EXECUTION_CANCELLED' })
  expect(receiptOn(3)).toBeUndefined()
})

test('simulate ends with its signal', async () => {
  const running = startCli(['simulate', '--count', '2'])
  await until(() => running.stdout().includes('\n'), 'the devices')
  expect(JSON.parse(running.stdout())).toMatchObject({ ok: true, devices: [{ name: 'sim-1' }, { name: 'sim-2' }] })
  running.child.kill('SIGINT')
  await once(running.child, 'exit')
  expect(await running.ended).toMatchObject({ code: 130, stderr: '' })
})
