/** A run as JUnit XML: the dialect that Maestro writes, with errors, retries, places and attachments added. */

import {
  attemptError,
  type FlowOutcome,
  failedExecution,
  flowError,
  isFlaky,
  lastAttempt,
  outcomeOf,
  tookMs,
} from '../../../contracts/flows/test-outcome.ts'
import type { FlowAttempt, FlowError, TestFlow, TestRun } from '../../../contracts/flows/test-run.ts'
import { JUNIT_BYTES_MAX } from '../../../contracts/limits/report-limits.ts'
import {
  type Attachments,
  attachmentMarks,
  filesOf,
  namesAttachment,
  withoutMarks,
  withoutMarksIn,
} from './attachments.ts'
import { commandLine, factLines, failedLine, pathFrom, warningLine } from './places.ts'
import { type Element, element, xmlDocument } from './xml.ts'

/** Levels of brevity (commands listed, characters of a text), tried one after the other until the file is small enough. */
const DETAIL_LEVELS = [
  { commandsOf: 'all', textMax: 100_000 },
  { commandsOf: 'failed', textMax: 20_000 },
  { commandsOf: 'none', textMax: 2_000 },
  { commandsOf: 'none', textMax: 200 },
] as const

type Detail = (typeof DETAIL_LEVELS)[number]

export interface JunitOptions {
  readonly cwd: string
  readonly attachments: Attachments
}

interface Context extends JunitOptions {
  readonly run: TestRun
  readonly detail: Detail
}

const cut = (text: string, { textMax }: Detail): string =>
  text.length <= textMax ? text : `${text.slice(0, textMax)}… (${text.length - textMax} more characters)`

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** Whole seconds of UTC without a zone: several readers refuse anything else. */
const timestamp = (at: number): string => new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)

/** Reserved by Maestro: they set attributes of the test case. */
const ATTRIBUTE_PROPERTIES = ['junitId', 'junitClassname']

const property = (name: string, value: string | number) => element('property', { name, value })

/** Maestro's word for the end of a flow, and svc's own for ends that Maestro does not know: each has one meaning. */
const STATUS: Readonly<Record<FlowOutcome, string>> = {
  passed: 'SUCCESS',
  failed: 'ERROR',
  indeterminate: 'INDETERMINATE',
  skipped: 'SKIPPED',
  cancelled: 'CANCELED',
  unfinished: 'UNFINISHED',
}

const UNJUDGED: Readonly<Record<'indeterminate' | 'cancelled' | 'unfinished' | 'failed', FlowError>> = {
  failed: { code: 'FAILED', message: 'The flow failed.' },
  indeterminate: { code: 'INDETERMINATE', message: 'Nobody can say whether the flow passed.' },
  cancelled: { code: 'CANCELLED', message: 'The flow was cancelled before its end.' },
  unfinished: { code: 'UNFINISHED', message: 'The run was interrupted before the end of the flow.' },
}

/** A failure is about the app or the suite; an error says that nobody knows. */
const problem = (name: string, error: FlowError, { cwd, detail }: Context, attempt?: FlowAttempt): Element =>
  element(
    name,
    { message: cut(error.message, detail), type: error.code },
    cut(factLines(cwd, error, attempt && failedExecution(attempt)).join('\n'), detail),
  )

const verdictElements = (flow: TestFlow, context: Context): Element[] => {
  const outcome = outcomeOf(flow)
  if (outcome === 'passed') return []
  const reason = flow.reason ?? (outcome === 'skipped' ? 'The flow was skipped.' : 'The flow did not begin.')
  if (outcome === 'skipped' || flow.attempts.length === 0)
    return [element('skipped', { message: cut(reason, context.detail) })]
  const error = flowError(flow) ?? UNJUDGED[outcome]
  return [problem(outcome === 'failed' ? 'failure' : 'error', error, context, lastAttempt(flow))]
}

/** Surefire names them so: `flaky` before a pass, `rerun` before anything else. */
const earlierElements = (flow: TestFlow, context: Context): Element[] =>
  flow.attempts.slice(0, -1).map(attempt => {
    const name = `${isFlaky(flow) ? 'flaky' : 'rerun'}${attempt.verdict === 'failed' ? 'Failure' : 'Error'}`
    const verdict = attempt.verdict === 'passed' || attempt.verdict === 'skipped' ? null : attempt.verdict
    const error = attemptError(attempt) ?? UNJUDGED[verdict ?? 'unfinished']
    const { attributes, content } = problem(name, error, context, attempt)
    return element(name, { ...attributes, time: seconds(tookMs(attempt)) }, [
      element('stackTrace', {}, content),
      element('system-out', {}, attemptText(attempt, context)),
    ])
  })

const attemptText = (attempt: FlowAttempt, { cwd, detail, attachments }: Context): string => {
  const { commands = [], warnings = [], log = [], verdict, deviceId } = attempt
  const isListed = detail.commandsOf === 'all' || (detail.commandsOf === 'failed' && verdict !== 'passed')
  const files = filesOf(attempt).flatMap(path => attachments.get(path) ?? [])
  const lines = [
    `Attempt ${attempt.attempt} on ${deviceId}: ${verdict ?? 'unfinished'}`,
    ...warnings.map(warning => warningLine(cwd, warning)),
    ...log.map(({ file, line, text }) => `Log: ${pathFrom(cwd, file)}:${line}: ${text}`),
    ...(isListed ? commands.map(command => commandLine(cwd, command)) : []),
  ]
  return [withoutMarks(cut(lines.join('\n'), detail)), ...attachmentMarks(files)].join('\n')
}

const attemptProperties = (flow: TestFlow, { attachments, run }: Context): Element[] => {
  const last = lastAttempt(flow)
  if (!last) return [property('svc.run', run.testRunId)]
  const files = flow.attempts.flatMap(attempt => filesOf(attempt).flatMap(path => attachments.get(path) ?? []))
  const failed = last.commands?.findLast(({ error, executionIds }) => error && executionIds.length > 0)
  const executionId = (
    failed ?? last.commands?.findLast(({ executionIds }) => executionIds.length > 0)
  )?.executionIds.at(-1)
  return [
    property('svc.run', run.testRunId),
    property('svc.flowRun', last.flowRunId),
    ...(executionId === undefined ? [] : [property('svc.executionId', executionId)]),
    property('device', last.deviceId),
    property('attempt', last.attempt),
    ...files.map(({ path }) => property('attachment', path)),
  ]
}

const flowProperties = ({ properties, tags }: TestFlow): Element[] => [
  ...Object.entries(properties)
    .filter(([name]) => !ATTRIBUTE_PROPERTIES.includes(name) && !namesAttachment(name))
    .map(([name, value]) => property(name, value)),
  ...(tags.length === 0 ? [] : [property('tags', tags.join(', '))]),
]

/** Readers keep only the first of test cases with the same name, so a second one in a suite gets a number. */
const createNames = () => {
  const taken = new Set<string>()
  return (name: string): string => {
    let unique = name
    for (let number = 2; taken.has(unique); number++) unique = `${name} (${number})`
    taken.add(unique)
    return unique
  }
}

const testCase = (flow: TestFlow, context: Context, uniqueName: ReturnType<typeof createNames>): Element => {
  const { properties, deviceId } = flow
  const { cwd, detail } = context
  const flowName = cut(flow.name, detail)
  const classname = `${properties.junitClassname ?? flowName}${deviceId === undefined ? '' : ` on ${deviceId}`}`
  const name = uniqueName(flowName)
  const last = lastAttempt(flow)
  return element(
    'testcase',
    {
      id: properties.junitId ?? name,
      name,
      classname,
      file: pathFrom(cwd, flow.flow),
      line: failedLine(cwd, flow),
      time: seconds(tookMs(last)),
      timestamp: last && timestamp(last.startedAt),
      status: STATUS[outcomeOf(flow)],
    },
    [
      element('properties', {}, [...flowProperties(flow), ...attemptProperties(flow, context)]),
      ...verdictElements(flow, context),
      ...earlierElements(flow, context),
      ...(last ? [element('system-out', {}, attemptText(last, context))] : []),
    ],
  )
}

const COUNTED = ['failure', 'error', 'skipped'] as const

const countsOf = (cases: readonly Element[]) => {
  const having = (name: string) =>
    cases.filter(({ content }) => typeof content !== 'string' && content.some(child => child.name === name)).length
  const [failures, errors, skipped] = COUNTED.map(having)
  return { tests: cases.length, failures, errors, skipped }
}

const onlyDevice = (flows: readonly TestFlow[]): string | undefined => {
  const devices = new Set(flows.flatMap(({ attempts }) => attempts.map(({ deviceId }) => deviceId)))
  return devices.size === 1 ? [...devices][0] : undefined
}

/** Where nothing was run, the reason is a test case: a file without one would pass for a success. */
const refusedCase = (context: Context): Element[] =>
  context.run.error
    ? [
        element('testcase', { id: 'svc test', name: 'svc test', classname: 'svc test', status: 'ERROR' }, [
          problem('error', context.run.error, context),
        ]),
      ]
    : []

/** One suite; with flows that belong to a device, one for each device. */
const suitesOf = (context: Context): Element[] => {
  const { run } = context
  const devices = [...new Set(run.flows.map(({ deviceId }) => deviceId))]
  return (devices.length === 0 ? [undefined] : devices).map(deviceId => {
    const flows = run.flows.filter(flow => flow.deviceId === deviceId)
    const uniqueName = createNames()
    const cases = flows.length === 0 ? refusedCase(context) : flows.map(flow => testCase(flow, context, uniqueName))
    return element(
      'testsuite',
      {
        name: 'Test Suite',
        device: deviceId ?? onlyDevice(flows),
        hostname: run.host,
        ...countsOf(cases),
        time: seconds(tookMs(run)),
        timestamp: timestamp(run.startedAt),
      },
      [element('properties', {}, [property('svc.run', run.testRunId)]), ...cases],
    )
  })
}

const documentAt = (context: Context): string => {
  const suites = suitesOf(context).map(withoutMarksIn)
  const cases = suites.flatMap(({ content }) => (typeof content === 'string' ? [] : content)).filter(isCase)
  const { run } = context
  return xmlDocument(
    element(
      'testsuites',
      { name: 'svc test', ...countsOf(cases), time: seconds(tookMs(run)), timestamp: timestamp(run.startedAt) },
      suites,
    ),
  )
}

const isCase = ({ name }: Element) => name === 'testcase'

export const junitReport = (run: TestRun, options: JunitOptions): { text: string; notes: string[] } => {
  let text = ''
  for (const [index, detail] of DETAIL_LEVELS.entries()) {
    text = documentAt({ ...options, run, detail })
    if (Buffer.byteLength(text) > JUNIT_BYTES_MAX) continue
    const note = `The lists of commands and long texts are shortened, so that the file stays below ${JUNIT_BYTES_MAX} bytes.`
    return { text, notes: index === 0 ? [] : [note] }
  }
  return { text, notes: [`The file has more than ${JUNIT_BYTES_MAX} bytes, which GitLab does not read.`] }
}
