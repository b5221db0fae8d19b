/** The port of the test-run machine that plans: nothing is run before all of it can be. */
import type { Port } from '../../runtime/port.ts'
import { type FlowsDeps, whenBroken } from './deps.ts'
import { invalidFlows } from './invalid-flows.ts'
import { planRun, takePlan } from './plan-run.ts'

export const planPort =
  (deps: Pick<FlowsDeps, 'runs' | 'phones' | 'clock' | 'note' | 'host'>): Port<{ testRunId: string }> =>
  async ({ testRunId }, { send, signal }) => {
    const run = deps.runs.get(testRunId)
    if (!run) throw new Error(`the run ${testRunId} is not of this process`)
    whenBroken(deps, testRunId, signal)
    const plan = run.plan ?? (await planRun(run, deps, signal))
    run.plan = undefined
    if (!plan.ok) {
      const { code, message, details } = invalidFlows(plan.problems)
      await send({ type: 'run.refused', code, message, body: details?.problems })
      return
    }
    takePlan(run, plan)
    for (const { file, line, message } of plan.warnings)
      deps.note(`${file}${line === undefined ? '' : `:${line}`}: ${message}`)
    await send({ type: 'run.planned', flows: [...plan.flows], body: plan.facts })
  }
