/** Receipts, cancelling and idempotency, on a simulated device. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failure } from '../../../../src/contracts/failures/failures.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { idempotencyOf } from '../../../../src/service/executions/idempotency.ts'
import type { ExecutionOrder } from '../../../../src/service/executions/order.ts'
import { validateExecution } from '../../../../src/service/executions/validate.ts'
import { type Lab, payloadOf, startLab } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { receiptOf, recordOf } from '../../../support/runtime/records.ts'
import { until } from '../../../support/until.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ count: 2 })
})
afterAll(() => lab.close())

const device = (index = 0) => lab.fleet.devices[index]
const serial = (index = 0) => device(index)?.serial ?? ''
const seen = (executionId: string, index = 0) =>
  (device(index)?.phone.executions() ?? []).filter(({ wireId }) => wireId.startsWith(`${executionId}.`)).length

const request = (actions: readonly unknown[], index = 0): ExecutionOrder => {
  const validation = validateExecution(payloadOf(actions))
  if (!validation.ok) throw new Error(validation.error.message)
  return {
    execution: validation.execution,
    deviceId: serial(index),
    operatorPackage: 'com.svc.operator',
    screenshots: lab.services.screenshots,
  }
}
const nap = (durationMs: number) => [{ id: 'nap', type: 'sleep', params: { durationMs } }]
const executions = () => lab.services.executions()
const open = (index = 0) =>
  [...lab.services.journal().receipts({ deviceId: serial(index) })].find(({ state }) => state === 'dispatched')

describe('cancel', () => {
  test('stops the waiting at once, keeps the device until it is done, and sends nothing twice', async () => {
    const running = executions().execute(request(nap(1_500)))
    await until(() => open() !== undefined, 'the execution to be dispatched')
    const executionId = open()?.executionId ?? ''
    await until(() => seen(executionId) === 1, 'the device to have it')
    const cancelled = await executions().cancel(executionId)
    expect(cancelled).toMatchObject({ kind: 'cancelled', receipt: { state: 'settled' } })
    expect((await running).result).toMatchObject({ ok: false, error: { code: 'EXECUTION_CANCELLED' } })
    expect((await executions().execute(request(nap(1)))).result).toMatchObject({
      error: {
        code: DEVICE_CONFLICT,
        message: expect.stringContaining(`is still finishing execution ${executionId}`),
        details: { holder: { pid: process.pid, executionId, commandId: 'c1' } },
      },
    })
    await until(() => lab.services.journal().leases.list().length === 0, 'the device to be done')
    expect((await executions().execute(request(nap(1)))).result.ok).toBe(true)
    expect((await executions().receipt(executionId))?.result).toMatchObject({ error: { code: 'EXECUTION_CANCELLED' } })
    expect(seen(executionId)).toBe(1)
  })

  test('one that is over is told how it ended, one that never was is unknown', async () => {
    const { executionId = '' } = await executions().execute(request(nap(1)))
    expect(await executions().cancel(executionId)).toMatchObject({ kind: 'settled', receipt: { result: { ok: true } } })
    expect(await executions().cancel('no-such')).toEqual({ kind: 'unknown' })
  })
})

describe('idempotency', () => {
  test('the same key and payload run once, however many ask at once', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => executions().executeOnce('k1', request(nap(200), 1))))
    const ids = new Set(answers.map(answer => ('executionId' in answer ? answer.executionId : undefined)))
    expect(ids.size).toBe(1)
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['executed', 'replayed', 'replayed', 'replayed'])
    expect(answers.every(answer => 'result' in answer && answer.result.ok)).toBe(true)
    expect(seen([...ids][0] ?? '', 1)).toBe(1)
    expect(await executions().executeOnce('k1', request(nap(200), 1))).toMatchObject({ kind: 'replayed' })
  })

  test('another payload under the key does nothing', async () => {
    await executions().executeOnce('k2', request(nap(1), 1))
    const before = device(1)?.phone.executions().length
    expect(await executions().executeOnce('k2', request(nap(2), 1))).toEqual({ kind: 'reused' })
    expect(device(1)?.phone.executions().length).toBe(before)
  })

  test('a key of which a repair of the journal left nothing else is told as interrupted, whatever the payload', async () => {
    const { key } = idempotencyOf('k-left', request(nap(1), 1))
    const error = failure('EXECUTION_INTERRUPTED', 'Lost.')
    await lab.services.journal().append(recordOf('left', 0), {
      receipt: receiptOf('lost-1', {
        deviceId: '',
        state: 'interrupted',
        acceptedAt: systemClock().now(),
        idempotency: { key, payload: '' },
        result: { ok: false, error },
      }),
    })
    const told = await executions().executeOnce('k-left', request(nap(1), 1))
    expect(told).toMatchObject({ kind: 'replayed', executionId: 'lost-1', result: { error: { code: error.code } } })
  })

  test('a refusal before acceptance leaves the key free', async () => {
    const unknown = { ...request(nap(1), 1), deviceId: 'nobody' }
    expect(await executions().executeOnce('k3', unknown)).toMatchObject({ kind: 'executed', result: { ok: false } })
    expect(await executions().executeOnce('k3', request(nap(1), 1))).toMatchObject({
      kind: 'executed',
      result: { ok: true },
    })
  })
})

describe('receipts', () => {
  test('are found by device, newest first, and name where they were asked from', async () => {
    await executions().execute({ ...request(nap(1)), skillRunId: 'run-1' })
    const mine = [...lab.services.journal().receipts({ skillRunId: 'run-1' })]
    expect(mine).toHaveLength(1)
    const all = [...lab.services.journal().receipts({ deviceId: serial() })]
    expect(all.map(({ acceptedAt }) => acceptedAt)).toEqual(
      [...all.map(({ acceptedAt }) => acceptedAt)].sort((a, b) => b - a),
    )
  })
})
