/** The output of `--validate-only` and `--dry-run`: the steps of an execution as lines, with nothing run. */

import { duration } from '../../../contracts/duration.ts'
import type { Execution } from '../../../contracts/executions/execution.ts'
import type { DryRunOutput, ValidateOnlyOutput } from '../../../contracts/executions/execution-result.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { counted, lines, table } from './layout.ts'
import type { Page } from './page.ts'
import { safe } from './visible.ts'

export type PlanOutput = ValidateOnlyOutput | DryRunOutput

export const isPlan = (output: unknown): output is PlanOutput =>
  isObject(output) &&
  (output.validated === true || output.dryRun === true) &&
  ('execution' in output || 'plan' in output)

/** `key=home`; a matcher in braces. */
const inWords = (value: unknown): string => {
  if (typeof value === 'string') return /^[\w.:/@-]+$/.test(value) ? value : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inWords).join(' ')}]`
  if (!isObject(value)) return String(value)
  return `{${wordsOf(value)}}`
}

const wordsOf = (params: object): string =>
  Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${inWords(value)}`)
    .join(' ')

export const planTable = (page: Page, actions: Execution['actions']): string =>
  table(
    page,
    [
      { title: '#', cell: ({ at }) => String(at + 1), align: 'right', leaveOut: 2 },
      { title: 'step', cell: ({ action }) => action.id, leaveOut: 1 },
      { title: 'action', cell: ({ action }) => action.type },
      { title: 'parameters', cell: ({ action }) => wordsOf(('params' in action && action.params) || {}), atLeast: 20 },
    ],
    actions.map((action, at) => ({ action, at })),
  )

export const planText = (page: Page, output: PlanOutput): string => {
  const { commandId, timeoutMs, actions } = 'plan' in output ? output.plan : output.execution
  const steps = counted(actions.length, 'step')
  const head = 'plan' in output ? `Plan of ${steps}` : `Valid: ${steps}`
  return lines(
    safe`${head} within ${duration(timeoutMs)}, command ${commandId}. Nothing was run.`,
    planTable(page, actions),
  )
}
