/** Plans a run: which flows, on which phones, in which order, with every file checked before anything is run. */

import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { PlannedFlow } from '../../contracts/events/test-run.ts'
import { isWithinRoots, pathInRoots } from '../../device/files/file-roots.ts'
import { pause } from '../../runtime/clock.ts'
import type { Port } from '../../runtime/port.ts'
import { namedPhones, phonesForFlows, uncountedPhones } from './choose-phones.ts'
import { type FlowsDeps, type LiveTestRun, whenBroken } from './deps.ts'
import { type CheckedFlows, checkFlowTree, validateFlows } from './language/check-flows.ts'
import type { Flow, FlowOutline } from './language/command.ts'
import type { FlowLibrary } from './language/flow-library.ts'
import { outlineOf } from './language/plan/plan-flows.ts'
import { invalidFlows, type Problem } from './language/problem.ts'
import { readFlow } from './language/read/read-flow.ts'
import type { PlannedFacts } from './read-test-run.ts'
import { type RecordedRequest, shardName } from './request.ts'
import type { FileDigests } from './run/read-files.ts'

/** The port of the test-run machine that plans: nothing is run before all of it can be. */
export const planPort =
  (deps: Pick<FlowsDeps, 'runs' | 'phones' | 'clock' | 'note' | 'host'>): Port<{ testRunId: string }> =>
  async ({ testRunId }, { send, signal }) => {
    const run = deps.runs.get(testRunId)
    if (!run) throw new Error(`the run ${testRunId} is not of this process`)
    whenBroken(deps, testRunId, signal)
    const plan = run.plan ?? (await planRun(run, deps, signal))
    run.plan = undefined
    if (!plan.ok) {
      const { code, message, details } = invalidFlows(plan.problems)
      await send({ type: 'run.refused', code, message, body: details?.problems })
      return
    }
    takePlan(run, plan)
    for (const { file, line, message } of plan.warnings)
      deps.note(`${file}${line === undefined ? '' : `:${line}`}: ${message}`)
    await send({ type: 'run.planned', flows: [...plan.flows], body: plan.facts })
  }

export interface PlannedFiles {
  readonly name: string
  readonly flow: FlowOutline
  /** The flow as it was checked; rejects where its file is another one now. */
  readonly read: () => Promise<Flow>
  /** The digest covers all its files: a later process goes on with the same ones only. */
  readonly digest: string
  /** The digest of each of its files, by its path. */
  readonly files: FileDigests
  /** The configuration of the workspace asks for a phone without animations. */
  readonly disablesAnimations: boolean
}

export type Plan =
  | {
      readonly ok: true
      readonly flows: readonly PlannedFlow[]
      readonly facts: readonly PlannedFacts[]
      readonly files: readonly PlannedFiles[]
      readonly warnings: readonly Problem[]
      /** Where files go that flows name, by the configuration of the workspace. */
      readonly outputFolder: string | undefined
    }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** The name of a flow that was given as text. */
const TEXT_FILE = '<flow>'

interface Checked {
  readonly flows: readonly (PlannedFiles & { readonly facts: PlannedFacts })[]
  /** So many of the first flows run one after the other. */
  readonly orderedCount: number
  readonly continuesOnFailure: boolean
  readonly outputFolder?: string | undefined
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
}

const digestOf = async (library: FlowLibrary, files: readonly string[], text = ''): Promise<string> => {
  const hash = createHash('sha256').update(text)
  for (const file of files) {
    const bytes = await library.files.read(file).catch(() => undefined)
    hash.update(`\0${file}\0`).update(bytes ?? '')
  }
  return hash.digest('hex')
}

/** The file is of whoever wrote the flows, not of the caller: it names no folder that is closed to the caller. */
const outputProblem = async ({ request }: LiveTestRun, folder: string | undefined): Promise<Problem[]> => {
  if (folder === undefined || request.outputFolder !== undefined || request.fileRoots === undefined) return []
  const found = await pathInRoots(folder, request.fileRoots)
  const isOpen =
    found.ok && (await isWithinRoots(await realpath(found.path).catch(() => found.path), request.fileRoots))
  return isOpen
    ? []
    : [
        {
          file: 'config.yaml',
          message: `testOutputDir: ${folder} is in none of the folders that are open to this caller.`,
        },
      ]
}

const digestsOf = async (library: FlowLibrary, files: readonly string[]): Promise<FileDigests> => {
  const digests: [string, string][] = []
  for (const file of files) digests.push([file, await library.digest(file)])
  return Object.fromEntries(digests)
}

const reading = (library: FlowLibrary, file: string) => async (): Promise<Flow> => {
  const read = await library.flow(file)
  if (read.ok) return read.flow
  throw new Error(read.problems[0]?.message ?? `${file} cannot be read.`)
}

const factsOf = ({ config }: FlowOutline): PlannedFacts => ({ tags: config.tags, properties: config.properties })

const checkedText = async ({ library, request }: LiveTestRun, yaml: string): Promise<Checked> => {
  const read = readFlow(yaml, TEXT_FILE)
  const none = { flows: [], orderedCount: 0, continuesOnFailure: true, warnings: [] }
  if (!read.ok) return { ...none, problems: read.problems }
  const { flow } = read
  const tree = await checkFlowTree(library, flow, request.cwd)
  if (tree.problems.length > 0) return { ...none, problems: tree.problems }
  const digest = await digestOf(library, tree.files, yaml)
  const name = flow.config.name ?? 'flow'
  return {
    ...none,
    flows: [
      {
        name,
        flow: outlineOf(flow),
        read: async () => flow,
        digest,
        files: await digestsOf(library, tree.files),
        disablesAnimations: false,
        facts: factsOf(flow),
      },
    ],
    problems: [],
    warnings: tree.warnings,
  }
}

const checkedFiles = async ({ library, request }: LiveTestRun, paths: readonly string[]): Promise<Checked> => {
  const { cwd, config, includeTags = [], excludeTags = [] } = request
  const checked: CheckedFlows = await validateFlows(library, {
    paths: paths.map(path => resolve(cwd, path)),
    includeTags,
    excludeTags,
    configFile: config === undefined ? undefined : resolve(cwd, config),
  })
  const flows: Checked['flows'][number][] = []
  // One after the other: files of thousands of flows cannot be open at once.
  for (const { name, file, flow, files } of checked.flows) {
    flows.push({
      name,
      flow,
      read: reading(library, file),
      digest: await digestOf(library, files),
      files: await digestsOf(library, files),
      disablesAnimations: checked.workspace.disablesAnimations,
      facts: factsOf(flow),
    })
  }
  const { orderedCount, workspace, problems, warnings } = checked
  const { continueOnFailure: continuesOnFailure, testOutputDir } = workspace
  const outputFolder = testOutputDir === undefined ? undefined : resolve(cwd, testOutputDir)
  return { flows, orderedCount, continuesOnFailure, outputFolder, problems, warnings }
}

/** Flows of other platforms cannot be run here. */
const foreign = ({ flow }: Pick<PlannedFiles, 'flow'>): Problem[] =>
  flow.config.appId === undefined && flow.config.url !== undefined
    ? [{ file: flow.file, message: 'This flow is one for a browser: its header has url in place of appId.' }]
    : []

/** Phones that have not told which they are may be phones that are counted already: counting waits so long for them. */
const COUNT_WAIT_MS = 30_000
const LOOK_MS = 1_000

type CountedPhones = { readonly ok: true; readonly found: string[] } | { readonly ok: false; readonly message: string }

/** The phones that each run every flow; a named one may still become free. */
const phonesOf = async (
  { request: { devices, leaseId } }: LiveTestRun,
  { phones, clock }: Pick<FlowsDeps, 'phones' | 'clock'>,
  signal: AbortSignal,
): Promise<CountedPhones> => {
  const until = clock.elapsed() + COUNT_WAIT_MS
  let listed = await phones.list(signal, leaseId)
  while (uncountedPhones(listed, devices).length > 0 && clock.elapsed() < until && !signal.aborted) {
    await pause(clock, LOOK_MS, signal)
    listed = await phones.list(signal, leaseId)
  }
  if (!devices) return { ok: true, found: phonesForFlows(listed, undefined) }
  const uncounted = uncountedPhones(listed, devices)
  if (uncounted.length === 0) return { ok: true, found: namedPhones(listed, devices) }
  const message = `--shard-all cannot count the phones: ${uncounted.join(', ')} did not answer which phone it is. Run the flows again when it does, or name other devices.`
  return { ok: false, message }
}

const NO_PHONES: CountedPhones = { ok: true, found: [] }

export const planRun = async (
  run: LiveTestRun,
  deps: Pick<FlowsDeps, 'phones' | 'clock'>,
  signal: AbortSignal,
): Promise<Plan> => {
  const { yaml, paths = [], onlyNames, shardAll } = run.request
  const checked = yaml === undefined ? await checkedFiles(run, paths) : await checkedText(run, yaml)
  const { orderedCount, continuesOnFailure, warnings } = checked
  const chosen = checked.flows.filter(({ name }) => onlyNames === undefined || onlyNames.includes(name))
  const closed = await outputProblem(run, checked.outputFolder)
  const problems = [...checked.problems, ...closed, ...chosen.flatMap(foreign)]
  if (problems.length > 0) return { ok: false, problems }
  if (chosen.length === 0) return { ok: false, problems: [{ file: paths[0] ?? '', message: 'No flow is to be run.' }] }
  const { phonesMax = Number.POSITIVE_INFINITY } = run.request
  const counted = shardAll ? await phonesOf(run, deps, signal) : NO_PHONES
  if (!counted.ok) return { ok: false, problems: [{ file: '', message: counted.message }] }
  const { found } = counted
  const ready = shardAll ? found.slice(0, phonesMax) : [null]
  const lacking = (message: string, hint: string): Plan => ({ ok: false, problems: [{ file: '', message, hint }] })
  if (shardAll && Number.isFinite(phonesMax) && found.length < phonesMax)
    return lacking(
      `--shard-all wants ${phonesMax} phones, and ${found.length} are ready.`,
      `Connect more phones, or ask for ${found.length === 0 ? 'fewer' : found.length}.`,
    )
  if (ready.length === 0) return lacking('No phone is ready for --shard-all.', 'Connect a phone or start an emulator.')
  const files = ready.flatMap(() => chosen)
  const ordered = onlyNames === undefined ? Math.min(orderedCount, chosen.length) : 0
  const flows = ready.flatMap((deviceId, round) =>
    chosen.map(({ flow, name }, at): PlannedFlow => {
      const index = round * chosen.length + at
      const first = round * chosen.length
      const after = at === 0 || ordered === 0 ? null : at < ordered ? index - 1 : first + ordered - 1
      return {
        file: flow.file,
        name: deviceId === null ? name : shardName(name, deviceId),
        deviceId,
        after,
        needsPassed: after !== null && !continuesOnFailure,
      }
    }),
  )
  const { outputFolder } = checked
  return { ok: true, flows, facts: files.map(({ facts }) => facts), files, warnings, outputFolder }
}

/** The caller decides, else the configuration of the workspace. */
export const outputFolderOf = (request: RecordedRequest, configured: string | undefined): string =>
  request.outputFolder ?? configured ?? request.defaultOutputFolder ?? request.folder

/** The files of the flows that a run was planned with, in its order, whatever else is there now; or the file that is missing. */
export const filesAsPlanned = (
  planned: readonly Pick<PlannedFlow, 'file'>[],
  files: readonly PlannedFiles[],
):
  | { readonly ok: true; readonly files: readonly PlannedFiles[] }
  | { readonly ok: false; readonly missing: string } => {
  const byFile = new Map(files.map(each => [each.flow.file, each]))
  const missing = planned.find(({ file }) => !byFile.has(file))
  if (missing) return { ok: false, missing: missing.file }
  return { ok: true, files: planned.flatMap(({ file }) => byFile.get(file) ?? []) }
}

/** Hands the plan to the run of this process. */
export const takePlan = (run: LiveTestRun, { files, outputFolder }: Extract<Plan, { ok: true }>): void => {
  run.planned = files
  run.outputFolder = outputFolderOf(run.request, outputFolder)
}
