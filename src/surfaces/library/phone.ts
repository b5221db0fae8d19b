/** A phone: each action of an execution as a method, and the everyday ones with short words. */
import { isAbsolute, resolve } from 'node:path'
import { withHostPaths } from '../../contracts/host-paths.ts'
import { createEverydayMethods, type EverydayMethods } from './everyday.ts'
import { createExecute, type Execute, type Executed, type Executor, type Step, type Target } from './execution.ts'
import { ACTION_METHODS } from './generated/facts.ts'
import type { ActionMethods, Answer, ResultEnvelope, StepResult } from './generated/shapes.ts'
import { type CallOptions, checkOptions, checkSteps } from './options.ts'

/** The answer of an execution of several actions: `data` is that of each step, by its id. */
export interface ExecutionAnswer extends Answer<{ [stepId: string]: { [key: string]: string } }> {
  deviceId: string
  steps: StepResult[]
  envelope: ResultEnvelope
}

export interface Phone extends Omit<ActionMethods<CallOptions>, keyof EverydayMethods>, EverydayMethods {
  /** As it was named; undefined for the only phone there is. */
  readonly deviceId: string | undefined
  /** Runs several actions as one execution: none follows one that failed. */
  execute(actions: readonly Step[], options?: CallOptions): Promise<ExecutionAnswer>
}

/** One step and its data. @internal */
export type Perform = (
  type: string,
  params: object | undefined,
  options: CallOptions | undefined,
  view?: { format?: 'xml' | 'compact' | undefined; since?: string | undefined },
) => Promise<Answer<{ [key: string]: string }>>

const observedIn = ({ observed }: Executed) => (observed === undefined ? {} : { observed })

/** Paths of files of this machine begin in the folder of the caller; a server elsewhere has files of its own. */
const placed = (step: Step): Step => {
  const { params } = step as { params?: { path?: unknown } }
  const path = step.type === 'take_screenshot' ? params?.path : undefined
  if (typeof path === 'string' && path !== '' && !isAbsolute(path))
    return { ...step, params: { ...params, path: resolve(path) } } as Step
  return withHostPaths(step, hostPath => (isAbsolute(hostPath) ? hostPath : resolve(hostPath)))
}

/** @internal */
export const createPhone = (executor: Executor, target: Target): Phone => {
  const send: Execute = createExecute(executor)
  const isHere = executor.door.sharesFiles
  const run = async (steps: readonly Step[], options: CallOptions = {}, view: object = {}) => {
    checkSteps(steps)
    checkOptions(options)
    return send({ ...target, ...view, steps: isHere ? steps.map(placed) : steps }, options)
  }

  const perform: Perform = async (type, params, options, view) => {
    const executed = await run([{ type, ...(params ? { params } : {}) } as Step], options, view)
    const data = executed.envelope.stepResults[0]?.data ?? {}
    return { executionId: executed.executionId, data, ...observedIn(executed) }
  }
  const actions = Object.fromEntries(
    Object.entries(ACTION_METHODS).map(([method, type]) => [
      method,
      (params?: object, options?: CallOptions) => perform(type, params, options),
    ]),
  ) as unknown as ActionMethods<CallOptions>
  return {
    ...actions,
    ...createEverydayMethods(executor, perform),
    deviceId: target.deviceId,
    async execute(steps, options) {
      const executed = await run(steps, options)
      const { executionId, deviceId, envelope } = executed
      const data = Object.fromEntries(envelope.stepResults.map(step => [step.id, step.data]))
      return { executionId, deviceId, data, steps: envelope.stepResults, envelope, ...observedIn(executed) }
    },
  }
}
