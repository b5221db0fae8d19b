/** Where in its file a flow failed, and its error and its commands in the lines of a report. */
import { relative, resolve, sep } from 'node:path'
import { flowError, lastAttempt, tookMs } from '../../contracts/test-outcome.ts'
import type { FlowCommandResult, FlowError, FlowWarning, TestFlow } from '../../contracts/test-run.ts'

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

/** The message, the hint, and the command with its place. */
export const errorLines = (cwd: string, error: FlowError): string[] => {
  const place = placeOf(cwd, error)
  const command = error.command === undefined ? [] : error.command.split('\n')
  return [
    `${error.code}: ${error.message}`,
    ...(error.hint === undefined ? [] : [`Hint: ${error.hint}`]),
    ...(place === undefined ? [] : [`at ${place}`]),
    ...command.map(line => `    ${line}`),
  ]
}

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
  const took = endedAt === undefined ? '' : `, ${tookMs(command)} ms`
  return `${'  '.repeat(depth)}${MARKS[verdict]} ${text} (${pathFrom(cwd, file)}:${line}${took}${SAID[verdict] ?? ''})`
}
