/** A simulated phone under one kind of operator, and executions on it by type and params. */
import { afterAll, beforeAll, expect } from 'vitest'
import type { ScreenOptions } from '../../../src/contracts/device/screen.ts'
import type { ResultEnvelope } from '../../../src/contracts/executions/execution-result.ts'
import type { Executed } from '../../../src/service/executions/order.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import type { Scenario } from '../../../src/simulator/scenario/scenario.ts'
import { keyboardApk, snapshotApk } from '../device/helper-apks.ts'
import { executeIn } from './execute-in.ts'
import { type Lab, payloadOf, startLab } from './lab.ts'

export const OPERATORS = ['com.svc.operator', 'svc.shell', 'svc.uiautomator']

export type Step = readonly [type: string, params?: object]

/** The phone of the tests of a block. */
export const operatorLab = (operatorPackage: string, scenario: Scenario) => {
  let lab: Lab
  beforeAll(async () => {
    const apks = operatorPackage === 'svc.uiautomator' ? [snapshotApk(), keyboardApk()] : []
    const operator = operatorPackage === 'com.svc.operator' ? 'socket' : 'none'
    lab = await startLab({ scenario, operator, apks })
  })
  afterAll(() => lab.close())

  const run = async (
    actions: readonly unknown[],
    { timeoutMs, commandId, ...view }: ScreenOptions & { timeoutMs?: number; commandId?: string } = {},
  ): Promise<Executed> => {
    const more = {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(commandId === undefined ? {} : { commandId }),
    }
    const validation = validateExecution(payloadOf(actions, more))
    if (!validation.ok) throw new Error(validation.error.message)
    return executeIn(lab.services, { execution: validation.execution, operatorPackage, view })
  }
  const executed = (...steps: Step[]): Promise<Executed> => {
    const actions = steps.map(([type, params], index) => ({ id: `step-${index}`, type, ...(params ? { params } : {}) }))
    return run(actions, { timeoutMs: 60_000 })
  }
  const envelopeOf = async (...steps: Step[]): Promise<ResultEnvelope> => {
    const { result } = await executed(...steps)
    if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
    return result.envelope
  }
  const dataOf = async (...steps: Step[]) => {
    const envelope = await envelopeOf(...steps)
    expect(envelope.error).toBeNull()
    expect(envelope.stepResults.map(({ id }) => id)).toEqual(steps.map((_, index) => `step-${index}`))
    return envelope.stepResults.map(({ data }) => data)
  }
  return {
    lab: () => lab,
    phone: () => {
      const [device] = lab.fleet.devices
      if (!device) throw new Error('there is no phone')
      return device.phone
    },
    run,
    executed,
    envelopeOf,
    dataOf,
  }
}
