/** Section CLI: what `--validate-only` and `--dry-run` print instead of running anything. */
import { TEMPLATE_PLACEHOLDERS } from '../../contracts/actions/overlay-template.ts'
import type { Execution } from '../../contracts/executions/execution.ts'
import type { DryRunOutput, ValidateOnlyOutput } from '../../contracts/executions/execution-result.ts'
import { parseTemplate } from '../../device/screen/overlay-template.ts'

export const PLAN_FLAGS = [
  { name: 'validate-only', summary: 'print the payload in its final form; run nothing' },
  { name: 'dry-run', summary: 'print the plan: ids, timeout and actions in order; run nothing' },
] as const

export const validateOnlyOutput = (execution: Execution): ValidateOnlyOutput => ({
  ok: true,
  validated: true,
  execution,
})

export const dryRunOutput = ({ commandId, timeoutMs, actions }: Execution): DryRunOutput => ({
  ok: true,
  dryRun: true,
  plan: { commandId, timeoutMs, actionCount: actions.length, actions },
})

/** Undefined when the execution is to be run. Of both flags the one that says less about running wins. */
export const plannedOutput = (
  execution: Execution,
  modes: { validateOnly: boolean; dryRun: boolean },
): ValidateOnlyOutput | DryRunOutput | undefined => {
  if (modes.validateOnly) return validateOnlyOutput(execution)
  return modes.dryRun ? dryRunOutput(execution) : undefined
}

const ABOUT_TEMPLATES = `The device shows it as it stands. Placeholders: ${TEMPLATE_PLACEHOLDERS.join(', ')}.`

/** A plan warns of what the host carries unchanged and the device probably does not know. */
export const planWarnings = ({ actions }: Execution): string[] =>
  actions.flatMap(action =>
    action.type !== 'set_on_screen_log' || action.params.template === undefined
      ? []
      : parseTemplate(action.params.template).problems.map(
          problem => `The template of step ${action.id} is carried as it is: ${problem}. ${ABOUT_TEMPLATES}`,
        ),
  )
