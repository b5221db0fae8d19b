/** Resuming: what is proven is never repeated, what is in doubt is not guessed, and two who ask at once run it once. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperatorCapability } from '../../../../src/contracts/device/operator.ts'
import { validateExecution } from '../../../../src/service/executions/validate.ts'
import { defaultScenario } from '../../../../src/simulator/scenario/default/apps.ts'
import type { Fault } from '../../../../src/simulator/scenario/fault.ts'
import { readScenario } from '../../../../src/simulator/scenario/scenario.ts'
import { executeIn } from '../../../support/executions/execute-in.ts'
import { type Lab, payloadOf, startLab } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'

const SETTINGS = 'com.android.settings'
const open = { id: 'open', type: 'open_app', params: { applicationId: SETTINGS } }
const ready = { id: 'ready', type: 'wait_for_node', params: { matcher: { textEquals: 'Settings' } } }
const missing = { id: 'tap', type: 'click', params: { matcher: { textEquals: 'Wi-Fi calling' } } }
const shot = { id: 'shot', type: 'take_screenshot' }
const toggle = { id: 'toggle', type: 'click', params: { matcher: { resourceId: `${SETTINGS}:id/wifi_switch` } } }
const look = { id: 'look', type: 'snapshot' }

const resume = async (lab: Lab, executionId: string, fromStep?: string) => {
  const resumption = await lab.services.executions().resumption(executionId, fromStep === undefined ? {} : { fromStep })
  if (!resumption.ok) return { error: resumption.error }
  return { resumption, executed: await executeIn(lab.services, resumption.order) }
}

const idsOf = (lab: Lab) => (lab.fleet.devices[0]?.phone.executions() ?? []).map(({ wireId }) => wireId.split('.')[0])

describe('an execution that failed', () => {
  let lab: Lab
  beforeAll(async () => {
    lab = await startLab()
  })
  afterAll(() => lab.close())

  test('goes on with the step that failed, once, under a receipt that names it', async () => {
    const first = await lab.execute([open, ready, missing, look])
    const id = first.executionId ?? ''
    expect(first.result).toMatchObject({ ok: true, envelope: { status: 'failed', errorCode: 'NODE_NOT_FOUND' } })

    const { resumption, executed } = await resume(lab, id)
    expect(resumption).toMatchObject({ executedSteps: ['open', 'ready'] })
    expect(executed?.result).toMatchObject({ ok: true, envelope: { stepResults: [{ id: 'tap', success: false }] } })
    const again = executed?.executionId ?? ''
    expect(lab.services.journal().receipt(again)).toMatchObject({ resumes: id, operatorPackage: 'com.svc.operator' })

    expect((await resume(lab, id)).error).toMatchObject({ code: 'RESUME_REFUSED', details: { resumedBy: again } })
    const inTime = await lab.services.executions().resumption(again, { timeoutMs: 1_234 })
    expect(inTime).toMatchObject({ ok: true, order: { execution: { timeoutMs: 1_234 } } })
    const third = await resume(lab, again, 'look')
    expect(third.executed?.result).toMatchObject({ ok: true, envelope: { status: 'success' } })
    expect((await resume(lab, third.executed?.executionId ?? '')).error).toMatchObject({ code: 'RESUME_REFUSED' })
  })

  test('is resumed by one of two who ask at once', async () => {
    const first = await lab.execute([ready, missing])
    const id = first.executionId ?? ''
    const before = idsOf(lab).length
    const both = await Promise.all([resume(lab, id), resume(lab, id)])
    const ran = both.filter(({ executed }) => executed?.executionId !== undefined)
    const refused = both.find(({ executed }) => executed?.executionId === undefined)?.executed?.result
    // The steps, and the look at the screen on which one of them failed.
    expect([ran.length, idsOf(lab).length - before]).toEqual([1, 2])
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'RESUME_REFUSED', details: { resumedBy: ran[0]?.executed?.executionId } },
    })
  })

  test('does not begin with an id that several steps have, and goes on without one', async () => {
    const again = { ...look, id: 'ready' }
    const { executionId = '' } = await lab.execute([ready, missing, again])
    expect((await resume(lab, executionId, 'ready')).error).toMatchObject({
      code: 'RESUME_REFUSED',
      message: expect.stringContaining('"ready"'),
      details: { step: 'ready', positions: [1, 3] },
      hint: expect.stringContaining(`POST /executions/${executionId}/resume`),
    })
    expect((await resume(lab, executionId)).resumption).toMatchObject({ executedSteps: ['ready'] })
  })

  test('does not begin with a step that is proven to have run, or with one that it does not have', async () => {
    const { executionId = '' } = await lab.execute([ready, missing, look])
    const steps = ['tap', 'look']
    for (const fromStep of ['ready', 'nowhere']) {
      expect((await resume(lab, executionId, fromStep)).error).toMatchObject({
        code: 'EXECUTION_VALIDATION_FAILED',
        details: { path: 'fromStep', steps },
      })
    }
    // The refusals have not used it up.
    expect((await resume(lab, executionId, 'look')).executed?.result).toMatchObject({ envelope: { status: 'success' } })
  })

  test('stays resumable when its resumption was not accepted', async () => {
    const { executionId = '' } = await lab.execute([ready, missing])
    const resumption = await lab.services.executions().resumption(executionId)
    if (!resumption.ok) throw new Error(resumption.error.message)
    const refused = await executeIn(lab.services, { ...resumption.order, deviceId: 'nobody' })
    expect(refused.result).toMatchObject({ error: { code: 'DEVICE_NOT_FOUND' } })
    expect((await lab.services.executions().resumption(executionId)).ok).toBe(true)
  })

  test('is refused while it runs, when it is unknown, and when it succeeded', async () => {
    const running = lab.execute([{ id: 'nap', type: 'sleep', params: { durationMs: 700 } }])
    const inFlight = () => lab.services.journal().receipts({ limit: 1 })[0]
    while (inFlight()?.state !== 'dispatched') await new Promise(resolve => setTimeout(resolve, 10))
    expect((await resume(lab, inFlight()?.executionId ?? '')).error).toMatchObject({
      code: DEVICE_CONFLICT,
    })
    const { executionId = '' } = await running
    expect((await resume(lab, executionId)).error).toMatchObject({ code: 'RESUME_REFUSED' })
    expect((await resume(lab, 'e0')).error).toMatchObject({ code: 'EXECUTION_NOT_FOUND' })
  })
})

const LOST = { after: 1, do: 'no-result', times: 1 } as Fault

/** The operator app of before there were capabilities cannot be asked. */
const withLostResult = async (capabilities: readonly OperatorCapability[], run: (lab: Lab) => Promise<void>) => {
  const { device, ...scenario } = defaultScenario()
  const asked = { ...device, operator: { ...device.operator, capabilities: [...capabilities] } }
  const lab = await startLab({ faults: [LOST], scenario: { ...scenario, device: asked } })
  try {
    await lab.execute([open])
    await run(lab)
  } finally {
    await lab.close()
  }
}

describe('an execution whose result was lost', () => {
  test.concurrent('is in doubt from the first acting step of its last segment, and goes on where the caller says', () =>
    withLostResult([], async lab => {
      const { executionId = '', result } = await lab.execute([shot, look, toggle, { ...look, id: 'last' }], {
        timeoutMs: 1_000,
      })
      expect(result).toMatchObject({ error: { code: 'RESULT_ENVELOPE_TIMEOUT' } })
      const { error } = await resume(lab, executionId)
      expect(error).toMatchObject({
        code: 'RESUME_IN_DOUBT',
        details: { step: 'toggle', doubtfulSteps: ['toggle'], executedSteps: ['shot'] },
      })
      expect(error?.hint).toContain('resume with fromStep last`')
      const { executed } = await resume(lab, executionId, 'last')
      expect(executed?.result).toMatchObject({ envelope: { status: 'success', stepResults: [{ id: 'last' }] } })
    }))

  test.concurrent('is not in doubt when it only looked', () =>
    withLostResult([], async lab => {
      const { executionId = '' } = await lab.execute([shot, look], { timeoutMs: 1_000 })
      const { resumption, executed } = await resume(lab, executionId)
      expect(resumption?.executedSteps).toEqual(['shot'])
      expect(executed?.result).toMatchObject({ envelope: { status: 'success', stepResults: [{ id: 'look' }] } })
    }))

  test.concurrent('is not in doubt where the operator app still has it: all of its steps have run', () =>
    withLostResult(['results'], async lab => {
      const { executionId = '', result } = await lab.execute([shot, look, toggle], { timeoutMs: 1_000 })
      expect(result).toMatchObject({ error: { code: 'RESULT_ENVELOPE_TIMEOUT' } })
      const { error } = await resume(lab, executionId)
      expect(error).toMatchObject({ code: 'RESUME_REFUSED', message: expect.stringContaining('All 3 steps') })
    }))
})

const COUNT = readScenario(
  JSON.stringify({
    front: 'com.example.count',
    apps: [
      {
        package: 'com.example.count',
        label: 'Count',
        counters: { n: { kept: true } },
        screens: {
          main: { nodes: [{ text: 'Count {n}' }, { class: 'Button', text: 'Add', onTap: { count: { n: 1 } } }] },
        },
      },
    ],
  }),
)

const add = (id: string) => ({ id, type: 'click', params: { matcher: { textEquals: 'Add' } } })
const nap = { id: 'nap', type: 'sleep', params: { durationMs: 3_000 } }

describe('an execution that nobody waits for any more, while its phone is still at work on it', () => {
  const counting = async (capabilities: readonly OperatorCapability[], run: (lab: Lab) => Promise<void>) => {
    if (!COUNT.ok) throw new Error(COUNT.error)
    const { device, ...scenario } = COUNT.scenario
    const operator = { ...device.operator, capabilities: [...capabilities] }
    const lab = await startLab({ scenario: { ...scenario, device: { ...device, operator } } })
    try {
      await run(lab)
    } finally {
      await lab.close()
    }
  }

  const cancelled = async (lab: Lab): Promise<string> => {
    const running = lab.execute([add('first'), nap, add('second')], { timeoutMs: 8_000 })
    const inFlight = () => lab.services.journal().receipts({ limit: 1 })[0]
    while (inFlight()?.state !== 'dispatched' || idsOf(lab).length === 0) await new Promise(r => setTimeout(r, 10))
    const { executionId = '' } = inFlight() ?? {}
    await lab.services.executions().cancel(executionId)
    await running
    return executionId
  }

  const taps = async (lab: Lab): Promise<string> => {
    const { result } = await lab.execute([look])
    return /Count \d+/.exec(JSON.stringify(result))?.[0] ?? ''
  }

  test.concurrent('is not resumed, and after a wait no step that has run is repeated', () =>
    counting(['progress', 'results'], async lab => {
      const executionId = await cancelled(lab)
      for (const fromStep of [undefined, 'second']) {
        expect((await resume(lab, executionId, fromStep)).error).toMatchObject({
          code: DEVICE_CONFLICT,
          details: { executionId, interrupted: { executionId }, dispatched: false },
          hint: expect.stringContaining('Nothing is in doubt yet'),
        })
      }
      const { resumption } = lab.services.executions()
      const waited = await resumption(executionId, { fromStep: 'second' }, { waitMs: 20_000 })
      expect(waited).toMatchObject({ ok: false, error: { code: 'RESUME_REFUSED' } })
      expect(await taps(lab)).toBe('Count 2')
    }))

  test.concurrent('is judged anew before the dispatch, where its app cannot be asked', () =>
    counting([], async lab => {
      const executionId = await cancelled(lab)
      const { resumption } = lab.services.executions()
      expect(await resumption(executionId, { fromStep: 'second' })).toMatchObject({
        error: { code: DEVICE_CONFLICT, message: expect.stringContaining('may still be at work') },
      })
      const receipt = lab.services.journal().receipt(executionId)
      // An order of before the list has ended.
      const execution = validateExecution(payloadOf([add('second')], { timeoutMs: 8_000 }))
      if (!execution.ok) throw new Error(execution.error.message)
      const late = await executeIn(lab.services, {
        ...{ execution: execution.execution, deviceId: receipt?.deviceId, operatorPackage: 'com.svc.operator' },
        ...{ resumes: executionId, waitMs: 20_000 },
      })
      expect(late.result).toMatchObject({ ok: false })
      expect(await taps(lab)).toBe('Count 2')
    }))
})

test('a resumption of which nothing was sent does not count, and to resume it judges the original anew', async () => {
  const lab = await startLab()
  try {
    const { executionId = '' } = await lab.execute([ready, missing, look])
    const first = await lab.services.executions().resumption(executionId, { fromStep: 'look' })
    if (!first.ok) throw new Error(first.error.message)
    const unsent = await executeIn(lab.services, { ...first.order, operatorPackage: 'com.example.nobody' })
    expect(unsent.result).toMatchObject({ ok: false, error: { code: 'OPERATOR_NOT_INSTALLED' } })
    const original = await lab.services.executions().resumption(unsent.executionId ?? '', {})
    expect(original).toMatchObject({ ok: true, order: { resumes: executionId }, executedSteps: ['ready'] })
    const { executed } = await resume(lab, executionId, 'look')
    expect(executed?.result).toMatchObject({ envelope: { status: 'success' } })
    const service = await lab.services.service()
    const receipt = await service['executions.get']({ executionId }, { context: { caller: 'cli' } })
    expect(receipt).toMatchObject({ ok: true, value: { execution: { resumedBy: executed?.executionId } } })
    expect((await resume(lab, unsent.executionId ?? '')).error).toMatchObject({
      code: 'RESUME_REFUSED',
      details: { resumedBy: executed?.executionId },
    })
  } finally {
    await lab.close()
  }
})
