/** Checks every flow that would run, with everything that it names, without a device. */
import type { FlowLibrary } from './flow-library.ts'
import type { PlannedFlow } from './plan/order-flows.ts'
import { type FlowPlan, type FlowSelection, planFlows } from './plan/plan-flows.ts'
import type { Problem } from './problem.ts'
import { type FlowTree, readFlowTree } from './read-flow-tree.ts'

export interface CheckedFlow extends PlannedFlow {
  /** Every file that it reads: itself, its subflows, scripts and media. */
  readonly files: readonly string[]
}

export interface CheckedFlows extends Omit<FlowPlan, 'flows'> {
  readonly flows: readonly CheckedFlow[]
}

/** A file that many flows name has its problems once. */
const distinct = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map(one => [JSON.stringify([one.file, one.line, one.column, one.message]), one])).values(),
]

export const validateFlows = async (library: FlowLibrary, selection: FlowSelection): Promise<CheckedFlows> => {
  const trees = new Map<string, Omit<FlowTree, 'flow'>>()
  const plan = await planFlows(library, selection, async file => {
    const { files, problems, warnings } = await readFlowTree(library, file)
    trees.set(file, { files, problems, warnings })
  })
  const problems = [...plan.problems]
  const warnings = [...plan.warnings]
  const flows: CheckedFlow[] = []
  for (const planned of plan.flows) {
    const { files = [], problems: own = [], warnings: noted = [] } = trees.get(planned.file) ?? {}
    problems.push(...own)
    warnings.push(...noted)
    flows.push({ ...planned, files })
  }
  return { ...plan, flows, problems: distinct(problems), warnings: distinct(warnings) }
}
