/** Executions under an id that their caller has chosen, on a simulated device. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemIds } from '../../../../src/runtime/ids.ts'
import type { ExecutionOrder } from '../../../../src/service/executions/order.ts'
import { validateExecution } from '../../../../src/service/executions/validate.ts'
import { type Lab, payloadOf, startLab } from '../../../support/executions/lab.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.close())

const device = () => lab.fleet.devices[0]
const ran = () => device()?.phone.executions().length ?? 0
const ids = systemIds()
const newId = () => ids.at(lab.services.clock.now())
const executions = () => lab.services.executions()

const nap = (durationMs: number): ExecutionOrder => {
  const validation = validateExecution(payloadOf([{ id: 'nap', type: 'sleep', params: { durationMs } }]))
  if (!validation.ok) throw new Error(validation.error.message)
  return {
    execution: validation.execution,
    deviceId: device()?.serial,
    operatorPackage: 'com.svc.operator',
    screenshots: lab.services.screenshots,
  }
}

test('the execution has the id, and runs once however many ask with it at once', async () => {
  const [id, before] = [newId(), ran()]
  const answers = await Promise.all([1, 2, 3].map(() => executions().executeAs(id, nap(200))))
  expect(answers.map(({ kind }) => kind)).toEqual(['executed', 'replayed', 'replayed'])
  expect(answers.map(answer => 'executionId' in answer && answer.executionId)).toEqual([id, id, id])
  expect(answers.every(answer => 'result' in answer && answer.result.ok)).toBe(true)
  expect(lab.services.journal().receipt(id)).toMatchObject({ state: 'settled' })
  expect(ran()).toBe(before + 1)
})

test('once it is over it is answered from its receipt', async () => {
  const id = newId()
  const first = await executions().executeAs(id, nap(1))
  const before = ran()
  expect(await executions().executeAs(id, nap(1))).toEqual({ ...first, kind: 'replayed' })
  expect(ran()).toBe(before)
})

test('a refusal before acceptance leaves the id free', async () => {
  const id = newId()
  const unknown = await executions().executeAs(id, { ...nap(1), deviceId: 'nobody' })
  expect(unknown).toMatchObject({ kind: 'executed', result: { ok: false } })
  expect('executionId' in unknown).toBe(false)
  expect(await executions().executeAs(id, nap(1))).toMatchObject({ kind: 'executed', executionId: id })
})

test('an Idempotency-Key that was used before counts more than a new id', async () => {
  const [one, two] = [newId(), newId()]
  expect(await executions().executeAs(one, nap(1), 'key')).toMatchObject({ kind: 'executed', executionId: one })
  expect(await executions().executeAs(two, nap(1), 'key')).toMatchObject({ kind: 'replayed', executionId: one })
  expect(await executions().executeAs(two, nap(2), 'key')).toEqual({ kind: 'reused' })
  expect(await executions().executeAs(one, nap(1), 'key')).toMatchObject({ kind: 'replayed', executionId: one })
})

test('where another process used the id meanwhile, the journal refuses to begin it', async () => {
  const id = newId()
  await executions().executeAs(id, nap(1))
  const journal = lab.services.journal()
  const before = ran()
  let reads = 0
  // As seen just before the other process wrote.
  const receipt = journal.receipt.bind(journal)
  journal.receipt = wanted => (wanted === id && reads++ === 0 ? undefined : receipt(wanted))
  try {
    expect(await executions().executeAs(id, nap(1))).toMatchObject({ kind: 'replayed', executionId: id })
  } finally {
    journal.receipt = receipt
  }
  expect(ran()).toBe(before)
})
