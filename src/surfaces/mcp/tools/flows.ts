/** The tool that runs one flow, given as text, to its end. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { hintAt } from '../../../contracts/door-words.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { foregroundOf, hintBesideLabels, labelListOf } from '../../../contracts/failures/failure-labels.ts'
import { withHint } from '../../../contracts/failures/hint-words.ts'
import type {
  FlowAttempt,
  FlowCommandResult,
  FlowError,
  TestProgress,
  TestRun,
} from '../../../contracts/flows/test-run.ts'
import { MCP_FLOW_COMMANDS_MAX } from '../../../contracts/limits/mcp-limits.ts'
import { snapshotExecution } from '../../../service/executions/actions/flat-actions.ts'
import { viewIn } from '../../../service/executions.ts'
import type { FlowsRequest } from '../../../service/flows/request.ts'
import { done, failed, shortened } from '../answers.ts'
import { contextOf, targetOf } from '../perform.ts'
import { ACTS, type Tool, type ToolCall, type ToolResult, tool } from '../tool.ts'
import { compactView } from './screen.ts'

const FAILURE_PICTURE = /(^|[\\/])failure\.png$/

type Reached = Required<Pick<ErrorObject, 'hint'>> & FlowError

const inWordsOfTools = (error: FlowError): Reached => withHint('mcp', error)

/** `12 failed: Tap on "Pay" 0190...`, indented as deep as the command stands. */
const commandLine = ({ line, depth, text, verdict, executionIds }: FlowCommandResult): string =>
  [`${'  '.repeat(depth)}${line} ${verdict}: ${text}`, ...executionIds].join(' ')

const commandLines = (commands: readonly FlowCommandResult[]): string[] => {
  const left = commands.length - MCP_FLOW_COMMANDS_MAX
  const lastLines = commands.slice(-MCP_FLOW_COMMANDS_MAX).map(commandLine)
  return left > 0 ? [`${left} earlier commands are left out`, ...lastLines] : lastLines
}

/** The whole screen, where it follows, has the first labels. */
const errorLines = (error: FlowError, hasScreen: boolean): string[] => {
  const { code, message, hint, file, line, command, details } = inWordsOfTools(error)
  const list = labelListOf(details)
  const front = foregroundOf(details)
  const place = file === undefined || line === undefined ? '' : ` (${file}:${line})`
  return [
    `${code}: ${message}${place}`,
    ...(command === undefined ? [] : [`command: ${command}`]),
    `hint: ${hintBesideLabels(hint, details)}`,
    ...(list && !(hasScreen && list.title === 'On the screen') ? [`${list.title}:`, ...list.labels] : []),
    ...(front === undefined ? [] : [`in front: ${front}`]),
  ]
}

const pictureOf = ({ folder }: TestRun, { files = [] }: FlowAttempt): string | undefined => {
  const file = files.find(each => FAILURE_PICTURE.test(each))
  return file === undefined ? undefined : join(folder, file)
}

interface ShownScreen {
  screen: number
  text: string
}

/** The compact screen after a flow that failed, with refs to go on with; undefined where the phone does not show it. */
const screenAfter = async (
  { verdict, flows }: TestRun,
  leaseId: string | undefined,
  call: ToolCall,
): Promise<ShownScreen | undefined> => {
  const { deps, signal } = call
  const deviceId = flows[0]?.attempts.at(-1)?.deviceId
  // Other verdicts say nothing of the screen: the phone may be gone.
  if (verdict !== 'failed' || deviceId === undefined || signal.aborted) return undefined
  const execution = snapshotExecution({ origin: 'mcp', now: deps.clock.now() })
  const input = { execution, deviceId, ...viewIn(compactView()) }
  const result = await deps.service.execute(input, { context: contextOf(call, leaseId), signal })
  const { text, screen } = (result.ok && result.value.envelope.stepResults[0]?.data) || {}
  return text === undefined ? undefined : { screen: Number(screen), text }
}

const withScreen = (error: FlowError, screen: ShownScreen | undefined): FlowError =>
  screen ? { ...error, details: { ...error.details, ...screen } } : error

/** A flow that failed is an answer; an error is where no flow was run. */
export const flowAnswer = (run: TestRun, shown: ShownScreen | undefined, awaited: string | undefined): ToolResult => {
  const { testRunId, verdict, flows, error } = run
  const attempt = flows[0]?.attempts.at(-1)
  if (error) return failed({ ...error, details: { ...error.details, testRunId } }, { dispatched: false })
  const { deviceId, commands = [], warnings = [], log = [] } = attempt ?? {}
  const broke = attempt?.error && withScreen(attempt.error, shown)
  const picture = attempt && pictureOf(run, attempt)
  const reason = broke === undefined ? flows[0]?.reason : undefined
  const lines = [
    `${verdict}${deviceId === undefined ? '' : ` on ${deviceId}`}${reason === undefined ? '' : `: ${reason}`}`,
    ...(attempt || awaited === undefined ? [] : [awaited]),
    ...commandLines(commands),
    ...warnings.map(({ file, line, message }) => `warning: ${message} (${file}:${line})`),
    ...log.slice(-MCP_FLOW_COMMANDS_MAX).map(({ file, line, text }) => `log: ${text} (${file}:${line})`),
    ...(broke ? errorLines(broke, shown !== undefined) : []),
    ...(shown ? [String(shortened(shown.text, 'take a snapshot'))] : []),
    ...(picture === undefined ? [] : [`picture: ${picture}`]),
    `run ${testRunId}`,
  ]
  return done(lines.join('\n'), {
    verdict,
    testRunId,
    ...(attempt ? { flowRunId: attempt.flowRunId, deviceId } : {}),
    commands: commands.slice(-MCP_FLOW_COMMANDS_MAX).map(({ line, text, verdict: ended, executionIds }) => ({
      line,
      text,
      verdict: ended,
      executionIds,
    })),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(broke ? { error: shortened(inWordsOfTools(broke), 'the tool receipts lists what the flow did') } : {}),
    ...(picture === undefined ? {} : { picture }),
  })
}

const progressText = (update: TestProgress): string | undefined => {
  if (update.type === 'phones.awaited') return hintAt('mcp', update.words)
  if (update.type === 'attempt.begun') return `flow ${update.name} on ${update.deviceId}`
  return update.type === 'command.begun' ? `${update.line}: ${update.text}` : undefined
}

/** Scripts, subflows and media are named from the first open folder; without one, none can be read. */
const requestOf = (
  { yaml, env, device }: { yaml: string; env?: Readonly<Record<string, string>>; device?: string },
  { deps }: ToolCall,
): FlowsRequest => {
  const { fileRoots = [] } = deps
  const { deviceId, leaseId } = targetOf(device, deps)
  return {
    yaml,
    ...(env === undefined ? {} : { env }),
    ...(deviceId === undefined ? {} : { devices: [deviceId] }),
    ...(leaseId === undefined ? {} : { leaseId }),
    cwd: fileRoots[0] ?? homedir(),
    caller: 'mcp',
    fileRoots,
  }
}

const run = tool({
  name: 'run_flow',
  description: 'Run a Maestro flow: its verdict, and the executions of each command.',
  annotations: ACTS,
  async run(args, call) {
    const { deps, signal, progress } = call
    const testRuns = await deps.testRuns()
    const request = requestOf(args, call)
    let awaited: string | undefined
    const begun = await testRuns.start(request, update => {
      if (update.type === 'phones.awaited') awaited = hintAt('mcp', update.words)
      const text = progressText(update)
      if (text !== undefined) progress.tell(text)
    })
    if (!begun.ok) return failed(begun.error, { dispatched: false })
    const cancel = () => void testRuns.cancel(begun.testRunId)
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
    try {
      const ended = await begun.ended
      return flowAnswer(ended, await screenAfter(ended, request.leaseId, call), awaited)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  },
})

export const FLOW_TOOLS: readonly Tool[] = [run]
