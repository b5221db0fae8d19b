/** Traces: what the records of a real execution tell about its steps, and where a fold of them begins. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../../machines/catalogue.ts'
import type { Trace } from '../../../src/contracts/doors/viewer.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { foldedFrom, foldRecords } from '../../../src/runtime/fold.ts'
import type { StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { traceOfExecution, traceOfRun } from '../../../src/service/traces/trace.ts'
import { recordCrash } from '../../support/cli/crashed-home.ts'
import { type Lab, startLab } from '../../support/executions/lab.ts'
import { actionsOf, BACK, TAP } from '../../support/executions/recorded-execution.ts'
import { recordUpgradedDevice } from '../../support/executions/upgraded-device.ts'
import { recordOf } from '../../support/runtime/records.ts'

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.close())

const traced = async (actions: readonly unknown[]): Promise<Trace> => {
  const { executionId = '' } = await lab.execute(actions)
  const journal = lab.services.journal()
  const receipt = journal.receipt(executionId)
  if (!receipt) throw new Error('there is no receipt')
  return traceOfExecution(journal, receipt)
}

describe('an execution', () => {
  const ACTIONS = [
    { id: 'look', type: 'snapshot' },
    { id: 'shot', type: 'take_screenshot' },
    { id: 'miss', type: 'click', params: { matcher: { textEquals: 'Nowhere' } } },
    { id: 'never', type: 'sleep', params: { durationMs: 1 } },
  ]

  test('says of each step how it went, when its segment left, and what it saw', async () => {
    await lab.execute([{ id: 'before', type: 'snapshot' }])
    const trace = await traced(ACTIONS)
    const [execution] = trace.executions
    expect(execution).toMatchObject({ code: 'NODE_NOT_FOUND', error: { code: 'NODE_NOT_FOUND' }, timeoutMs: 20_000 })
    const steps = execution?.timeline ?? []
    expect(steps.map(({ id, state, segment }) => [id, state, segment])).toEqual([
      ['look', 'succeeded', 0],
      ['shot', 'succeeded', 1],
      ['miss', 'failed', 2],
      ['never', 'not-run', 2],
    ])
    const [look, shot, miss] = steps
    expect(look?.screen?.xml).toContain('<hierarchy')
    expect(look?.data.text).toBeUndefined()
    expect(shot?.screen?.picture).toBe(`/executions/${trace.id}/screenshots/shot?position=1`)
    expect(shot?.durationMs).toBe((shot?.endedAt ?? 0) - (shot?.startedAt ?? 0))
    expect(miss?.error?.message).toContain('Nowhere')
  })

  test('has its own records only, and the snapshot from which they fold to what the machine was', async () => {
    const trace = await traced(ACTIONS)
    const types = trace.records.map(({ event }) => event.type)
    // The last segment is the look after the step that failed.
    expect(types).toEqual(['execution.requested', ...Array(4).fill('execution.dispatched'), 'execution.settled'])
    const { start, records } = trace
    if (!start) throw new Error('the trace does not say where to begin')
    expect(start.n).toBe(records[0]?.n)
    const from = foldedFrom(CATALOGUE.device, start)
    const folded = foldRecords(CATALOGUE.device, records.slice(0, 2), from)
    expect(folded.snapshot?.value).toEqual({ running: 'dispatched' })
    expect(folded.snapshot?.context).toMatchObject({ current: { executionId: trace.id } })
  })
})

test('an execution begins with the state that the runtime knows, from a checkpoint of an older version too', async () => {
  const journal = memoryJournal({ alive: () => true, clock: systemClock() })
  const { n, version } = await recordUpgradedDevice(journal, 'a')
  const requested = journal
    .records({ actor: 'device:a', fromN: n + 3 })
    .find(({ from, to }) => from === 'idle' && to !== 'idle')
  const executionId = String(requested?.event.executionId)
  const receipt = { executionId, deviceId: 'a', commandId: 'c', state: 'settled', acceptedAt: requested?.at ?? 0 }
  const { records, start } = traceOfExecution(journal, receipt as unknown as StoredReceipt)
  expect(version).toBeLessThan(CATALOGUE.device.version)
  expect(records[0]?.n).toBe(requested?.n)
  expect(start).toMatchObject({ n: requested?.n, version: CATALOGUE.device.version, snapshot: { value: 'idle' } })
})

test('a step that the phone told ten seconds after a crash has no end, and says who told it and when', async () => {
  const journal = memoryJournal({ alive: () => true, clock: systemClock() })
  const {
    executionId,
    settledAt = 0,
    dispatchedAt = 0,
  } = await recordCrash(journal, {
    executionId: 'crashed',
    actions: actionsOf(BACK, TAP),
  })
  const at = settledAt + 10_000
  const evidence = { source: 'operator', at, outcome: 'done' } as const
  const steps = [0, 1].map(step => ({ step, success: true }))
  const event = {
    type: 'execution.evidenced',
    executionId,
    source: evidence.source,
    steps,
    outcome: evidence.outcome,
    at,
  }
  await journal.append(recordOf('device:d1', 3, { at, event }), { learned: { executionId, evidence } })
  const receipt = journal.receipt(executionId)
  const [execution] = receipt ? traceOfExecution(journal, receipt).executions : []
  expect(execution).toMatchObject({ code: 'success', evidence, settledAt })
  const told = { state: 'succeeded', startedAt: dispatchedAt, source: 'operator', knownAt: at }
  expect(execution?.timeline).toMatchObject([told, told])
  for (const step of execution?.timeline ?? []) {
    expect(step).not.toHaveProperty('endedAt')
    expect(step).not.toHaveProperty('durationMs')
  }
})

test('a run that nobody knows has no trace', () => {
  expect(traceOfRun(lab.services.journal(), 'nothing')).toBeUndefined()
})
