/** Gathers what one HTML report holds: flows, pictures, logs and traces, each up to its limit, those of failures first. */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { TraceExecution } from '../../../contracts/doors/viewer.ts'
import { lastAttempt } from '../../../contracts/flows/test-outcome.ts'
import type { TestReport } from '../../../contracts/flows/test-report.ts'
import type { FlowAttempt, TestRun } from '../../../contracts/flows/test-run.ts'
import {
  REPORT_PICTURES_BYTES_MAX,
  REPORT_SOURCE_BYTES_MAX,
  REPORT_SOURCES_BYTES_MAX,
  REPORT_TEXT_BYTES_MAX,
  REPORT_TEXTS_BYTES_MAX,
  REPORT_TRACES_BYTES_MAX,
  REPORT_TRACES_MAX,
  REPORT_TRACES_TOO_LARGE_MAX,
} from '../../../contracts/limits/report-limits.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { type Attachments, contentTypeOf, filesOf, type RunFile, type RunFiles } from './attachments.ts'

/** Undefined where the journal does not have the execution; pictures in it are data URLs. */
export type ReadTrace = (executionId: string) => Promise<TraceExecution | undefined>

export interface ContentOptions {
  readonly cwd: string
  readonly files: RunFiles
  readonly attachments: Attachments
  readonly readTrace: ReadTrace
}

export interface ReportContent {
  readonly report: TestReport
  /** By the ids of the elements that hold them. */
  readonly elements: ReadonlyMap<string, unknown>
}

const isPassed = ({ verdict }: FlowAttempt) => verdict === 'passed'

/** Attempts by how much a reader wants to know of them: the last failed ones, earlier ones, passed ones. */
const attemptsByInterest = ({ flows }: TestRun): FlowAttempt[] => {
  const last = flows.flatMap(flow => lastAttempt(flow) ?? [])
  const earlier = flows.flatMap(({ attempts }) => attempts.slice(0, -1))
  return [...last.filter(each => !isPassed(each)), ...earlier, ...last.filter(isPassed)]
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** A text in angle brackets is the name of a flow that was given as text. */
const isFile = (path: string) => !/^<.*>$/.test(path)

const sourcePaths = ({ flows }: TestRun): Set<string> =>
  new Set(
    flows
      .flatMap(({ flow, attempts }) => [
        flow,
        ...attempts.flatMap(({ error, commands = [] }) => [
          ...(error?.file === undefined ? [] : [error.file]),
          ...commands.map(({ file }) => file),
        ]),
      ])
      .filter(isFile),
  )

const readSources = async (run: TestRun, cwd: string, omitted: string[]): Promise<Record<string, string>> => {
  const sources: Record<string, string> = {}
  let left = REPORT_SOURCES_BYTES_MAX
  for (const path of sourcePaths(run)) {
    const file = resolve(cwd, path)
    try {
      const stats = await stat(file)
      if (!stats.isFile()) throw new Error('it is not a regular file')
      if (stats.size > REPORT_SOURCE_BYTES_MAX || stats.size > left) throw new Error('it is too large')
      sources[path] = await readFile(file, 'utf8')
      left -= stats.size
      if (stats.mtimeMs > run.startedAt) {
        omitted.push(`${path} has been changed since the run began: its lines may be others than those that were run.`)
      }
    } catch (error) {
      omitted.push(`The text of ${path} is left out: ${messageOf(error)}.`)
    }
  }
  return sources
}

const isPicture = (path: string) => contentTypeOf(path).startsWith('image/')
const isText = (path: string) => ['text/plain', 'application/xml'].includes(contentTypeOf(path))

/** The end of a long log tells more than its beginning. */
const textOf = async ({ file, size }: RunFile): Promise<string> => {
  const text = await readFile(file)
  if (size <= REPORT_TEXT_BYTES_MAX) return text.toString()
  const end = text.subarray(-REPORT_TEXT_BYTES_MAX).toString()
  return `(The first ${text.length - REPORT_TEXT_BYTES_MAX} bytes are left out.)\n${end.slice(end.indexOf('\n') + 1)}`
}

const readFiles = async (
  run: TestRun,
  { files }: ContentOptions,
  elements: Map<string, unknown>,
  omitted: string[],
) => {
  const pictures: Record<string, string> = {}
  const texts: Record<string, string> = {}
  const left = { pictures: REPORT_PICTURES_BYTES_MAX, texts: REPORT_TEXTS_BYTES_MAX }
  const leftOut = { pictures: 0, texts: 0 }
  const paths = new Set(attemptsByInterest(run).flatMap(filesOf))
  for (const found of [...paths].flatMap(path => files.found.get(path) ?? [])) {
    const { path, file, size } = found
    const kind = isPicture(path) ? 'pictures' : isText(path) ? 'texts' : undefined
    if (!kind) continue
    const taken = kind === 'texts' ? Math.min(size, REPORT_TEXT_BYTES_MAX) : size
    if (taken > left[kind]) {
      leftOut[kind] += 1
      continue
    }
    try {
      if (kind === 'texts') texts[path] = await textOf(found)
      else {
        const id = `picture-${elements.size}`
        elements.set(id, `data:${contentTypeOf(path)};base64,${(await readFile(file)).toString('base64')}`)
        pictures[path] = id
      }
      left[kind] -= taken
    } catch (error) {
      omitted.push(`${path} is left out: ${messageOf(error)}.`)
    }
  }
  if (leftOut.pictures > 0)
    omitted.push(
      `${counted(leftOut.pictures, 'picture')} left out: the pictures of one report may have ${REPORT_PICTURES_BYTES_MAX} bytes. They are in ${run.folder}.`,
    )
  if (leftOut.texts > 0)
    omitted.push(
      `${counted(leftOut.texts, 'log')} left out: the logs of one report may have ${REPORT_TEXTS_BYTES_MAX} bytes. They are in ${run.folder}.`,
    )
  return { pictures, texts }
}

/** The executions of commands that did not pass come first within each attempt. */
const executionsByInterest = (run: TestRun): string[] => [
  ...new Set(
    attemptsByInterest(run).flatMap(({ commands = [] }) =>
      [...commands]
        .sort((one, other) => Number(one.verdict === 'passed') - Number(other.verdict === 'passed'))
        .flatMap(({ executionIds }) => executionIds),
    ),
  ),
]

const readTraces = async (run: TestRun, readTrace: ReadTrace, elements: Map<string, unknown>, omitted: string[]) => {
  const traces: Record<string, string> = {}
  const wanted = executionsByInterest(run)
  let left = REPORT_TRACES_BYTES_MAX
  let tooLarge = 0
  let isGone = 0
  for (const executionId of wanted.slice(0, REPORT_TRACES_MAX)) {
    if (tooLarge >= REPORT_TRACES_TOO_LARGE_MAX) break
    const trace = await readTrace(executionId)
    if (!trace) {
      isGone += 1
      continue
    }
    const size = Buffer.byteLength(JSON.stringify(trace))
    if (size > left) {
      tooLarge += 1
      continue
    }
    const id = `trace-${elements.size}`
    elements.set(id, trace)
    traces[executionId] = id
    left -= size
  }
  const leftOut = wanted.length - Object.keys(traces).length - isGone
  if (isGone > 0)
    omitted.push(`${counted(isGone, 'trace')} left out: the journal of this host does not have the executions.`)
  if (leftOut > 0)
    omitted.push(
      `${counted(leftOut, 'trace')} left out: one report holds ${REPORT_TRACES_MAX} traces in ${REPORT_TRACES_BYTES_MAX} bytes. svc executions show <id> and the viewer show each.`,
    )
  return traces
}

/** Files that the report does not hold are linked. */
const linksOf = (attachments: Attachments): Record<string, string> =>
  Object.fromEntries(
    Array.from(attachments, ([path, { path: target }]) => [path, target.split('/').map(encodeURIComponent).join('/')]),
  )

export const gatherContent = async (run: TestRun, options: ContentOptions): Promise<ReportContent> => {
  const omitted = [...options.files.missing]
  const elements = new Map<string, unknown>()
  const sources = await readSources(run, options.cwd, omitted)
  const files = await readFiles(run, options, elements, omitted)
  const traces = await readTraces(run, options.readTrace, elements, omitted)
  return { report: { run, sources, ...files, traces, links: linksOf(options.attachments), omitted }, elements }
}
