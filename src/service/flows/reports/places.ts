/** Where in its file a flow failed, and its error and its commands in the lines of a report. */
import { relative, resolve, sep } from 'node:path'
import { duration } from '../../../contracts/duration.ts'
import { foregroundOf, hintBesideLabels, labelListOf } from '../../../contracts/failures/failure-labels.ts'
import { flowError, lastAttempt, tookMs } from '../../../contracts/flows/test-outcome.ts'
import type { FlowCommandResult, FlowError, FlowWarning, TestFlow } from '../../../contracts/flows/test-run.ts'

/** Relative to the folder of the caller where it lies below it. */
export const pathFrom = (cwd: string, path: string): string => {
  const found = relative(cwd, resolve(cwd, path))
  return found === '' || found === '..' || found.startsWith(`..${sep}`) ? path : found.replaceAll(sep, '/')
}

const isSameFile = (cwd: string, one: string, other: string) => resolve(cwd, one) === resolve(cwd, other)

/** The line of the flow's own file at which it failed: a subflow fails at the command that runs it. */
export const failedLine = (cwd: string, flow: TestFlow): number | undefined => {
  const error = flowError(flow)
  if (!error) return undefined
  if (error.line !== undefined && error.file !== undefined && isSameFile(cwd, error.file, flow.flow)) return error.line
  const failed = lastAttempt(flow)?.commands?.findLast(
    ({ verdict, depth, file }) =>
      depth === 0 && (verdict === 'failed' || verdict === 'indeterminate') && isSameFile(cwd, file, flow.flow),
  )
  return failed?.line
}

/** `flows/login.yaml:12` */
export const placeOf = (cwd: string, { file, line }: Pick<FlowError, 'file' | 'line'>): string | undefined =>
  file === undefined ? undefined : `${pathFrom(cwd, file)}${line === undefined ? '' : `:${line}`}`

const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ')

/** The facts of a failure beside its code and message: hint, labels of the screen, execution, and the command with its place. */
export const factLines = (cwd: string, error: FlowError, executionId?: string | undefined): string[] => {
  const { hint, details } = error
  const place = placeOf(cwd, error)
  const list = labelListOf(details)
  const front = foregroundOf(details)
  return [
    ...(hint === undefined ? [] : [`Hint: ${hintBesideLabels(hint, details)}`]),
    ...(list ? [`${list.title}:`, ...list.labels.map(label => `    ${label}`)] : []),
    ...(front === undefined ? [] : [`In front: ${front}`]),
    ...(executionId === undefined ? [] : [`Execution: ${executionId}`]),
    ...(place === undefined ? [] : [`at ${place}`]),
    ...(error.command === undefined ? [] : [`    ${oneLine(error.command)}`]),
  ]
}

export const errorLines = (cwd: string, error: FlowError, executionId?: string | undefined): string[] => [
  `${error.code}: ${error.message}`,
  ...factLines(cwd, error, executionId),
]

/** `Warning: flows/pay.yaml:7: The variable NAME is not set ...` */
export const warningLine = (cwd: string, { file, line, message }: FlowWarning): string =>
  `Warning: ${pathFrom(cwd, file)}:${line}: ${message}`

const MARKS: Readonly<Record<FlowCommandResult['verdict'], string>> = {
  passed: '✓',
  failed: '✗',
  indeterminate: '?',
  skipped: '-',
  ignored: '!',
  running: '…',
}

const SAID: Readonly<Partial<Record<FlowCommandResult['verdict'], string>>> = {
  ignored: ', failed and ignored',
  skipped: ', skipped',
}

/** `✓ Tap on "Pay" (flows/pay.yaml:7, 340 ms)`, indented below the command that runs it. */
export const commandLine = (cwd: string, command: FlowCommandResult): string => {
  const { verdict, text, file, line, depth, endedAt } = command
  const took = endedAt === undefined ? '' : `, ${duration(tookMs(command))}`
  return `${'  '.repeat(depth)}${MARKS[verdict]} ${text} (${pathFrom(cwd, file)}:${line}${took}${SAID[verdict] ?? ''})`
}
