/** The daemon dies under a command: what may have happened is said, and the device is never asked twice but for a snapshot. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import { tryLock } from '../../../../src/runtime/files/lock-file.ts'
import { startOf } from '../../../../src/runtime/processes/processes.ts'
import type { Fault } from '../../../../src/simulator/scenario/fault.ts'
import { liveOwner } from '../../../../src/surfaces/daemon/identity.ts'
import { type SvcLab, svcLab } from '../../../support/cli/svc-lab.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { until, wait } from '../../../support/until.ts'

const labOf = svcLab()

/** The first execution is quick, so that all is warm; the second is caught in the middle. */
const SLOW: Fault[] = [{ after: 1, do: 'slow', ms: 3_000, times: 1 }]

const warm = async (): Promise<SvcLab> => {
  const lab = await labOf({ faults: SLOW })
  expect(await lab.svc(['back'])).toMatchObject({ code: 0 })
  return lab
}

const killDaemon = (lab: SvcLab) => {
  const { pid } = lab.metadata() ?? {}
  if (pid === undefined) throw new Error('no daemon is running')
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // One that a command has just replaced is gone already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const receiptsOf = async (lab: SvcLab, ...flags: string[]) =>
  (await lab.svc(['executions', 'list', ...flags])).json<{ executions: Record<string, unknown>[] }>().executions

const DOUBT = 'The answer of the daemon was lost after the request was sent: the action may have executed.'

describe.concurrent('killed while the device is at work', () => {
  test.each([
    ['exec', ['exec', JSON.stringify(payloadOf([{ id: 'k', type: 'press_key', params: { key: 'back' } }]))]],
    ['a flat command', ['press', 'home']],
  ])('%s: one request, and the doubt with the way to end it', async (_, args) => {
    const lab = await warm()
    const running = lab.start(args)
    await lab.busy(2)
    killDaemon(lab)
    const ended = await running.ended
    const [receipt] = await receiptsOf(lab, '--limit', '1')
    const { executionId } = receipt ?? {}
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.json()).toEqual({
      code: 'DAEMON_PROXY_ERROR',
      message: DOUBT,
      details: { error: expect.any(String), executionId },
      hint: `To see whether it happened: \`svc executions show ${executionId}\`.`,
      retriable: false,
    })
    expect(receipt).toMatchObject({
      state: 'interrupted',
      result: { ok: false, error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } },
    })
    expect(lab.seen()).toBe(2)
  })

  test('a screenshot: never again, it may have written a file', async () => {
    const lab = await warm()
    // The operator has a step before the picture, so that there is a moment to be killed in.
    const execution = payloadOf([
      { id: 'k', type: 'press_key', params: { key: 'back' } },
      { id: 's', type: 'take_screenshot', params: { path: join(lab.home, 'a.png') } },
    ])
    const running = lab.start(['exec', JSON.stringify(execution)])
    await lab.busy(2)
    killDaemon(lab)
    expect((await running.ended).json()).toMatchObject({ code: 'DAEMON_PROXY_ERROR' })
    expect(lab.seen()).toBe(2)
  })

  test('a snapshot: once more, here, with a notice', async () => {
    const lab = await warm()
    const running = lab.start(['snapshot'])
    await lab.busy(2)
    killDaemon(lab)
    const ended = await running.ended
    expect(ended.stderr).toContain('Reading again without the daemon: the answer of the daemon was lost')
    expect(lab.seen()).toBe(3)
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.json()).toMatchObject({ envelope: { status: 'success' } })
  })
})

test.concurrent('the next command has the next daemon, and the device is free', async () => {
  const lab = await labOf()
  for (const count of [1, 2, 3]) {
    expect(await lab.svc(['back'])).toMatchObject({ code: 0, stderr: '' })
    expect(lab.daemons()).toHaveLength(count)
    expect(lab.seen()).toBe(count)
    killDaemon(lab)
    await until(() => lab.metadata() === undefined || liveOwner(lab.paths().metadata) === undefined, 'its death')
  }
})

test.concurrent('a daemon that is stopped under an execution records it as interrupted, within its time', async () => {
  const lab = await labOf({ faults: [{ after: 1, do: 'slow', ms: 20_000, times: 1 }] })
  await lab.svc(['back'])
  const running = lab.start(['press', 'home'])
  await lab.busy(2)
  const stopped = await lab.svc(['daemon', 'stop'])
  expect(stopped.json()).toMatchObject({ ok: true, daemon: { status: 'stopped' } })
  const ended = await running.ended
  expect(['EXECUTION_INTERRUPTED', 'DAEMON_PROXY_ERROR']).toContain(ended.json().code)
  const [receipt] = await receiptsOf(lab, '--limit', '1')
  expect(receipt).toMatchObject({ state: 'interrupted' })
  expect(ended.json()).toMatchObject({ details: { executionId: receipt?.executionId } })
  expect(lab.seen()).toBe(2)
})

test.concurrent('a device that does not answer is told as such, though the daemon waits for it as long as we for the daemon', async () => {
  const lab = await labOf({ faults: [{ after: 1, do: 'no-result', times: 1 }] })
  await lab.svc(['back'])
  const ended = await lab.svc(['back', '--timeout', '1000'])
  expect(ended.json()).toMatchObject({ code: 'RESULT_ENVELOPE_TIMEOUT', details: { executionId: expect.any(String) } })
  expect(lab.seen()).toBe(2)
})

test('killed at any moment: at most once on the device, and nothing is said that is not so', async () => {
  const lab = await labOf()
  for (let delay = 30; delay <= 110; delay += 16) {
    await lab.svc(['back'])
    const before = lab.seen()
    const running = lab.start(['press', 'home'])
    await wait(delay)
    killDaemon(lab)
    const ended = await running.ended
    const { code, details } = ended.json<{ code?: string; details?: { executionId?: string } }>()
    const count = lab.seen() - before
    if (ended.code === 0) expect(count).toBe(1)
    else expect([code, count <= 1]).toEqual(['DAEMON_PROXY_ERROR', true])
    if (ended.code === 0 || details?.executionId === undefined) continue
    const shown = await lab.svc(['executions', 'show', details.executionId])
    const { execution } = shown.json<{ execution: Receipt }>()
    expect(['settled', 'interrupted']).toContain(execution.state)
    if (execution.dispatchedAt === undefined) expect(count).toBe(0)
    if (execution.state === 'settled') expect(count).toBe(1)
  }
})

test.concurrent('an idle daemon ends itself and leaves its log', async () => {
  const lab = await labOf()
  await lab.svc(['back'], { env: { SVC_DAEMON_IDLE_MS: '600' } })
  const { pid = 0 } = lab.metadata() ?? {}
  await until(() => lab.metadata() === undefined, 'its end')
  // The one who is to take note of its end may have much else to do: until then it is there, and dead.
  await until(() => startOf(pid) === undefined, 'its process to go')
})

test.concurrent('garbage in the place of its files is got over, and a live process that is not ours is let live', async () => {
  const lab = await labOf()
  await lab.svc(['back'])
  killDaemon(lab)
  const { lock, metadata, socket } = lab.paths()
  writeFileSync(lock, '\0garbage')
  writeFileSync(metadata, JSON.stringify({ ...lab.metadata(), pid: process.pid }))
  const stopped = await lab.svc(['daemon', 'stop'])
  expect(stopped.json()).toMatchObject({ ok: true, daemon: { status: 'not_running', socketPath: socket } })
  expect(await lab.svc(['back'])).toMatchObject({ code: 0, stderr: '' })
  expect(lab.daemons()).toHaveLength(2)
})

test.concurrent('while another process starts or stops it, both say who, and nothing is signalled', async () => {
  const lab = await labOf()
  await lab.svc(['back'])
  const { lock, socket: socketPath } = lab.paths()
  const taken = tryLock(lock, { now: () => 0 })
  if (taken.kind !== 'held') throw new Error('the lock is not free')
  const [stop, start] = await Promise.all([lab.svc(['daemon', 'stop']), lab.svc(['daemon', 'start'])])
  expect([stop.code, start.code]).toEqual([1, 1])
  const message = `Process ${process.pid} is starting or stopping this daemon.`
  const pid = lab.metadata()?.pid
  expect(stop.json()).toEqual({
    code: 'DAEMON_STOP_FAILED',
    message,
    details: { socketPath, timeoutMs: 2_000, pid },
    hint: expect.stringContaining('End the process'),
    retriable: false,
  })
  expect(start.json()).toMatchObject({
    code: 'DAEMON_START_FAILED',
    message,
    details: { socketPath, timeoutMs: 3_000 },
  })
  // A command needs no lock for a daemon that runs.
  expect(await lab.svc(['back'])).toMatchObject({ code: 0, stderr: '' })
  taken.release()
  expect((await lab.svc(['daemon', 'stop'])).json()).toMatchObject({ ok: true, daemon: { status: 'stopped' } })
  expect(lab.daemons()).toEqual([pid])
})
