/** The columns that a table of executions needs: those in which its rows differ. */
import type { ExecutionSummary } from '../../contracts/doors/viewer.ts'

export const OPTIONAL = [
  ['deviceId', 'Device'],
  ['operatorPackage', 'Operator'],
  ['skillRunId', 'Skill run'],
] as const

type OptionalColumn = (typeof OPTIONAL)[number][0]

export interface Columns {
  shown: ReadonlySet<OptionalColumn>
  /** The same in every row. */
  shared: readonly (readonly [label: string, value: string])[]
}

const MANY = 2

/** Columns without a value in any row are left out without a word. */
export const columnsOf = (executions: readonly ExecutionSummary[]): Columns => {
  const shown = new Set<OptionalColumn>()
  const shared: [string, string][] = []
  for (const [key, label] of OPTIONAL) {
    const values = new Set(executions.flatMap(execution => execution[key] ?? []))
    const [only] = values
    // To belong to a skill run tells an execution apart from one that belongs to none.
    const isInEachRow = key !== 'skillRunId' || executions.every(({ skillRunId }) => skillRunId !== undefined)
    if (only === undefined) continue
    if (values.size > 1 || executions.length < MANY || !isInEachRow) shown.add(key)
    else shared.push([label, only])
  }
  return { shown, shared }
}
