/** Plans a run before it is recorded, for a caller who is told at once what cannot run. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { FlowsDeps, LiveTestRun } from './deps.ts'
import type { FlowFiles } from './language/flow-library.ts'
import { invalidFlows } from './language/problem.ts'
import { planRun } from './plan-run.ts'

/** Each may read thousands of files. */
export const PLANNINGS_MAX = 8

const manyPlannings = (): ErrorObject =>
  failure(
    'EXECUTION_CONFLICT_IN_FLIGHT',
    `The flows of ${PLANNINGS_MAX} requests are being read; nothing was started.`,
    {
      details: { planningsMax: PLANNINGS_MAX },
      hint: 'Try again when one of them is answered.',
    },
  )

const nobodyWaits = (): ErrorObject =>
  failure('EXECUTION_CANCELLED', 'The flows were still being read when their caller left or this host stopped.', {
    details: { dispatched: false },
    hint: 'Nothing was begun: send the request again.',
  })

/** Reads nothing more for a plan that nobody waits for, so that its planning ends soon. */
const readUntil = (files: FlowFiles, isGone: () => boolean): FlowFiles => {
  const unlessGone =
    <T>(read: (path: string) => Promise<T>) =>
    async (path: string): Promise<T> => {
      if (isGone()) throw new Error('nobody waits for it any more')
      return read(path)
    }
  return {
    read: unlessGone(files.read),
    kindOf: unlessGone(files.kindOf),
    list: unlessGone(files.list),
    digest: unlessGone(files.digest),
  }
}

export const createPlanFirst = (deps: FlowsDeps) => {
  let plannings = 0

  /** Answers why the run cannot begin. `leave` is aborted when nobody hears the answer any more. */
  return async (
    open: (limited: (files: FlowFiles) => FlowFiles) => LiveTestRun,
    leave: AbortSignal | undefined,
  ): Promise<{ readonly run: LiveTestRun } | { readonly error: ErrorObject }> => {
    if (plannings >= PLANNINGS_MAX) return { error: manyPlannings() }
    const stopped = new AbortController()
    const unlisten = deps.host.onStop(async () => stopped.abort())
    const gone = leave === undefined ? stopped.signal : AbortSignal.any([stopped.signal, leave])
    let isPlanning = true
    const run = open(files => readUntil(files, () => isPlanning && gone.aborted))
    plannings += 1
    try {
      const plan = await planRun(run, deps, gone)
      if (gone.aborted) return { error: nobodyWaits() }
      if (!plan.ok) return { error: invalidFlows(plan.problems) }
      run.plan = plan
      return { run }
    } finally {
      isPlanning = false
      plannings -= 1
      unlisten()
    }
  }
}
