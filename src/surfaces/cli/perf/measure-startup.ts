/** `svc perf startup`: an execution, whose figures stand in the output once more as numbers. */
import { STARTUP_RUNS, type StartupRun } from '../../../contracts/device/perf.ts'
import { draftOf, flatExecution } from '../../../service/executions/actions/flat-actions.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { runDeviceCommand } from '../devices/device-command.ts'
import { executionTimeout, wholeNumber } from '../flags/flag-values.ts'
import { listText } from '../text/answer.ts'
import { executionText } from '../text/execution.ts'
import { lines, paragraph } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'

interface StartupOutput {
  envelope?: { stepResults?: readonly { data?: Readonly<Record<string, string>> }[] }
}

export interface Startup {
  applicationId: string
  runs: readonly StartupRun[]
  medianMs: number | null
}

/** Undefined for a plan, and for a start that failed. */
const startupIn = ({ envelope }: StartupOutput): Startup | undefined => {
  const { application_id: applicationId, runs, median_ms: median } = envelope?.stepResults?.at(-1)?.data ?? {}
  if (applicationId === undefined || runs === undefined) return undefined
  const read = JSON.parse(runs) as StartupRun[]
  return { applicationId, runs: read, medianMs: median === undefined ? null : Number(median) }
}

export const measureStartup = async (call: CommandContext): Promise<CommandResult> => {
  const [applicationId = ''] = call.args
  const runs = wholeNumber(call, 'runs', STARTUP_RUNS) ?? STARTUP_RUNS.default
  const draft = draftOf('measure_startup', { applicationId, runs, stopFirst: !call.isOn('keep-running') })
  const timeoutMs = executionTimeout(call) ?? draft.timeoutMs
  const payload = flatExecution('perf-startup', { ...draft, timeoutMs }, { origin: 'cli', now: call.clock.now() })
  const result = await runDeviceCommand('flat', payload, call)
  const startup = result.ok ? startupIn(result.output as StartupOutput) : undefined
  return startup ? { ...result, output: { ...(result.output as object), startup } } : result
}

type Shown = Parameters<typeof executionText>[1] & { startup?: Startup }

const UNKNOWN = '-'
const ms = (value: number | null): string => (value === null ? UNKNOWN : `${value} ms`)

export const startupText = (page: Page, output: Shown): string => {
  const { startup } = output
  if (!startup) return executionText(page, output)
  const runs = startup.runs.map((run, index) => ({ run: index + 1, ...run }))
  return lines(
    page.paint('bold', safe`${startup.applicationId}`),
    listText(page, runs, {
      as: {
        kind: ({ kind }) => kind ?? UNKNOWN,
        totalMs: ({ totalMs }) => ms(totalMs),
        waitMs: ({ waitMs }) => ms(waitMs),
      },
      without: ['onTop'],
    }),
    ...runs.flatMap(({ run, onTop }) =>
      onTop === undefined ? [] : [paragraph(page, safe`Run ${run} has no total: ${onTop} was on top.`)],
    ),
    `Median of the totals: ${ms(startup.medianMs)}`,
  )
}
