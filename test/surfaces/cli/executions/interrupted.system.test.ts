/** Signals: the exit code says which one came, and what became of an execution is said, not guessed. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import { type RunningCli, runCli, startCli } from '../../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'
import { until, wait } from '../../../support/until.ts'

let lab: Lab
let envs: NodeJS.ProcessEnv[]

beforeAll(async () => {
  lab = await startLab({ count: 5 })
  // A device that was left in the middle of an execution is busy with it: each test has one of its own.
  envs = lab.fleet.devices.map(({ serial }) => ({ HOME: lab.home, SVC_TCP_DEVICES: serial }))
})
afterAll(() => lab.close())

const receiptOn = (device: number): Receipt | undefined =>
  lab.services.journal().receipts({ deviceId: lab.fleet.devices[device]?.serial ?? '' })[0]

const seenBy = (device: number) => lab.fleet.devices[device]?.phone.executions() ?? []

const startSleeping = async (device: number): Promise<RunningCli> => {
  const running = startCli(['sleep', '60000'], { env: envs[device] ?? {} })
  await until(() => seenBy(device).length === 1, 'the device to have the execution')
  return running
}

/** The answer comes at once, and the process ends when the device is done, or some seconds later. */
const answerOf = async (running: RunningCli) => {
  await until(() => running.stdout().includes('\n'), 'the answer')
  return JSON.parse(running.stdout())
}

test('SIGINT after the dispatch: 130, cancelled, and the device stays ours for as long as we wait for it', async () => {
  const running = await startSleeping(0)
  running.child.kill('SIGINT')
  const answer = await answerOf(running)
  const { executionId = '', result } = receiptOn(0) ?? {}
  expect(answer).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { executionId, dispatched: true } })
  const { message, ...stored } = (result?.ok === false ? result.error : undefined) ?? {}
  // The answer also says which steps are known to have run, and its hint names commands. A sleep changes nothing.
  const known = message?.replace('; it may have executed.', '. No step is known to have run.') ?? '?'
  expect(answer).toEqual({ ...stored, message: expect.stringContaining(known), hint: expect.any(String) })
  expect(lab.services.journal().leases.list()).toMatchObject([{ note: { executionId } }])
  const ended = await running.ended
  expect(ended.json()).toEqual(answer)
  expect(ended.code).toBe(130)
  expect(ended.stderr).toContain(`Execution ${executionId} is cancelled`)
  expect(ended.stderr).toContain(
    `Interrupted: execution ${executionId} was dispatched: what may have run changes nothing`,
  )
  expect(ended.stderr).toContain('Waiting up to 5 s for the device to finish')
  expect(receiptOn(0)).toMatchObject({ state: 'settled', result: { error: { code: 'EXECUTION_CANCELLED' } } })
})

test('SIGTERM: 143, and the process ends once the device is done', async () => {
  const running = startCli(['sleep', '1000'], { env: envs[1] ?? {} })
  await until(() => seenBy(1).length === 1, 'the device to have the execution')
  running.child.kill('SIGTERM')
  expect(await answerOf(running)).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { dispatched: true } })
  const ended = await running.ended
  expect(ended.code).toBe(143)
  expect(seenBy(1)).toMatchObject([{ finishedAt: expect.any(Number) }])
})

test('a second signal ends it at once, and the receipt stays as it is', async () => {
  const running = await startSleeping(2)
  running.child.kill('SIGTERM')
  const answer = await answerOf(running)
  await until(() => running.stderr().includes('Waiting'), 'the wait for the device')
  running.child.kill('SIGTERM')
  expect(await running.ended).toMatchObject({ code: null, signal: 'SIGTERM' })

  const listed = await runCli(['executions', 'list', '--device', envs[2]?.SVC_TCP_DEVICES ?? ''], {
    env: envs[2] ?? {},
  })
  expect(listed.json()).toMatchObject({
    count: 1,
    executions: [{ state: 'settled', result: { error: { code: answer.code, details: answer.details } } }],
  })
})

test('what this process performs itself is cancelled at once: there is nobody else to wait for', async () => {
  const running = startCli(['wait', '--text', 'Nowhere', '--timeout', '60000', '--operator-package', 'svc.shell'], {
    env: envs[4] ?? {},
  })
  await until(() => receiptOn(4)?.state === 'dispatched', 'the execution to be dispatched')
  running.child.kill('SIGINT')
  const ended = await running.ended
  const { executionId = '' } = receiptOn(4) ?? {}
  expect(ended.code).toBe(130)
  expect(ended.stderr).toContain(`Execution ${executionId} is cancelled`)
  expect(ended.json()).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { executionId, dispatched: true } })
  expect(receiptOn(4)).toMatchObject({ state: 'settled', result: { error: { code: 'EXECUTION_CANCELLED' } } })
  expect(lab.services.journal().leases.list()).toEqual([])
})

test('while the devices are still asked for: cancelled, and no failure of ours', async () => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const connected = once(mute, 'connection')
  const { port } = mute.address() as AddressInfo
  const running = startCli(['devices'], { env: { HOME: lab.home, SVC_TCP_DEVICES: `127.0.0.1:${port}` } })
  const [socket] = await connected
  running.child.kill('SIGINT')
  const ended = await running.ended
  socket.destroy()
  mute.close()
  expect(ended.code).toBe(130)
  const message = expect.stringContaining('Interrupted')
  expect(ended.json()).toMatchObject({ code: 'EXECUTION_CANCELLED', message, details: { dispatched: false } })
})

test('while the payload is still awaited: nothing was sent', async () => {
  const running = startCli(['exec', '-'], { env: envs[3] ?? {} })
  // More than a pipe holds: once it is taken, the command reads.
  await new Promise(resolve => running.child.stdin.write(' '.repeat(500_000), resolve))
  running.child.kill('SIGINT')
  const ended = await running.ended
  expect(ended.code).toBe(130)
  expect(ended.json()).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { dispatched: false } })
  expect(receiptOn(3)).toBeUndefined()
})

test.skipIf(process.platform === 'win32').each([
  ['no writer', () => wait(1_000)],
  ['a silent writer', (pipe: string) => open(pipe, 'w')],
])('while the payload is a named pipe with %s', async (name, write) => {
  const pipe = join(lab.home, name)
  execFileSync('mkfifo', [pipe])
  const running = startCli(['exec', pipe], { env: envs[3] ?? {} })
  try {
    const writer = await write(pipe)
    running.child.kill('SIGINT')
    await until(() => running.child.exitCode !== null, 'the command to end')
    await writer?.close()
    expect(await running.ended).toMatchObject({ code: 130 })
    expect(JSON.parse(running.stdout())).toMatchObject({ code: 'EXECUTION_CANCELLED' })
  } finally {
    running.child.kill('SIGKILL')
  }
})

test('simulate ends with its signal', async () => {
  const running = startCli(['simulate', '--count', '2'])
  await until(() => running.stdout().includes('\n'), 'the devices')
  expect(JSON.parse(running.stdout())).toMatchObject({ ok: true, devices: [{ name: 'sim-1' }, { name: 'sim-2' }] })
  running.child.kill('SIGINT')
  await once(running.child, 'exit')
  expect(await running.ended).toMatchObject({ code: 130, stderr: '' })
})
