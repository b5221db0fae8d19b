/** The port of the test-run machine that plans: nothing is run before all of it can be. */
import type { Port } from '../runtime/port.ts'
import { type FlowsDeps, whenBroken } from './deps.ts'
import { planRun, takePlan } from './plan-run.ts'

const PROBLEMS_SHOWN = 1_000

export const planPort =
  (deps: Pick<FlowsDeps, 'runs' | 'phones' | 'clock' | 'note' | 'host'>): Port<{ testRunId: string }> =>
  async ({ testRunId }, { send, signal }) => {
    const run = deps.runs.get(testRunId)
    if (!run) throw new Error(`the run ${testRunId} is not of this process`)
    whenBroken(deps, testRunId, signal)
    const plan = await planRun(run, deps, signal)
    if (!plan.ok) {
      const { problems } = plan
      const [first] = problems
      const where = first?.line === undefined ? (first?.file ?? '') : `${first.file}:${first.line}`
      const more = problems.length > 1 ? ` There are ${problems.length - 1} more problems.` : ''
      const message = `${where === '' ? '' : `${where}: `}${first?.message ?? 'No flow is to be run.'}${more}`
      await send({ type: 'run.refused', code: 'FLOW_INVALID', message, body: problems.slice(0, PROBLEMS_SHOWN) })
      return
    }
    takePlan(run, plan)
    for (const { file, line, message } of plan.warnings)
      deps.note(`${file}${line === undefined ? '' : `:${line}`}: ${message}`)
    await send({ type: 'run.planned', flows: [...plan.flows], body: plan.facts })
  }
