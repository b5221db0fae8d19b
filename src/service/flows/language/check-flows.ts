/**
 * A flow, or every flow that would run, with every file that it names: checked before anything runs, without a
 * device.
 */

import type { Command, Flow, Place } from './command.ts'
import { type FlowLibrary, resolveName } from './flow-library.ts'
import { SUBFLOW_LEVELS_MAX } from './limits.ts'
import { isDynamic, type TextParam } from './params.ts'
import type { PlannedFlow } from './plan/order-flows.ts'
import { type FlowPlan, type FlowSelection, planFlows } from './plan/plan-flows.ts'
import type { Problem } from './problem.ts'

export interface CheckedFlow extends PlannedFlow {
  /** Every file that it reads: itself, its subflows, scripts and media. */
  readonly files: readonly string[]
}

export interface CheckedFlows extends Omit<FlowPlan, 'flows'> {
  readonly flows: readonly CheckedFlow[]
}

/** A file that many flows name has its problems once. */
const distinct = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map(one => [JSON.stringify([one.file, one.line, one.column, one.message]), one])).values(),
]

export const validateFlows = async (library: FlowLibrary, selection: FlowSelection): Promise<CheckedFlows> => {
  const trees = new Map<string, Omit<FlowTree, 'flow'>>()
  const plan = await planFlows(library, selection, async file => {
    const { files, problems, warnings } = await readFlowTree(library, file)
    trees.set(file, { files, problems, warnings })
  })
  const problems = [...plan.problems]
  const warnings = [...plan.warnings]
  const flows: CheckedFlow[] = []
  for (const planned of plan.flows) {
    const { files = [], problems: own = [], warnings: noted = [] } = trees.get(planned.file) ?? {}
    problems.push(...own)
    warnings.push(...noted)
    flows.push({ ...planned, files })
  }
  return { ...plan, flows, problems: distinct(problems), warnings: distinct(warnings) }
}

const VARIABLE = /(?<!\\)\$\{\s*([A-Za-z_]\w*)\s*\}/g
/** Names that are there in every flow. */
const BUILT_IN = /^(?:output|maestro|http|faker|MAESTRO_\w+|undefined|null|true|false)$/

const setBy = ({ params }: Command): string[] =>
  Object.values(params).flatMap(param => {
    if (param.kind === 'env') return Object.keys(param.values)
    return param.kind === 'commands' ? param.commands.flatMap(setBy) : []
  })

/** The variables that a flow needs of its caller: those it writes as `${NAME}` and does not set itself. The texts are those of all files of the flows. */
export const neededVariables = (flows: readonly Flow[], texts: readonly string[]): string[] => {
  const known = new Set(
    flows.flatMap(({ config, commands }) => [
      ...Object.keys(config.env),
      ...[...config.onFlowStart, ...commands, ...config.onFlowComplete].flatMap(setBy),
    ]),
  )
  const written = texts.flatMap(text => [...text.matchAll(VARIABLE)].map(([, name = '']) => name))
  return [...new Set(written)].filter(name => !known.has(name) && !BUILT_IN.test(name)).sort()
}

interface FlowTree {
  /** Undefined where the file itself cannot be read as a flow. */
  readonly flow: Flow | undefined
  /** Everything that was read: the flow, its subflows, scripts and media. */
  readonly files: readonly string[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
}

interface NamedFile {
  readonly use: 'flow' | 'script' | 'media'
  readonly name: TextParam
}

const USES: Readonly<Partial<Record<Command['key'], NamedFile['use']>>> = {
  runFlow: 'flow',
  retry: 'flow',
  runScript: 'script',
  addMedia: 'media',
}

const namedBy = ({ key, params }: Command): readonly NamedFile[] => {
  const use = USES[key]
  const { file, files, commands } = params
  const names = file?.kind === 'text' ? [file] : files?.kind === 'texts' ? files.texts : []
  const ownFiles = use === undefined ? [] : names.map(name => ({ use, name }))
  return commands?.kind === 'commands' ? [...ownFiles, ...commands.commands.flatMap(namedBy)] : ownFiles
}

const commandsOf = ({ config, commands }: Flow): readonly Command[] => [
  ...config.onFlowStart,
  ...commands,
  ...config.onFlowComplete,
]

const lastName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** The files from the one that begins the circle to the one that closes it. */
export const circleOf = (running: readonly string[], file: string): string | undefined => {
  const start = running.indexOf(file)
  return start === -1 ? undefined : [...running.slice(start), file].map(lastName).join(' → ')
}

interface Walk {
  readonly library: FlowLibrary
  readonly directory: string
  readonly problems: Problem[]
  readonly warnings: Problem[]
  readonly files: Set<string>
  /** How many levels of subflows each flow has that was walked. */
  readonly heights: Map<string, number>
  isTooDeep: boolean
}

const add = ({ problems }: Walk, { file, line, column }: Place, message: string, hint?: string) => {
  problems.push({ file, line, column, message, ...(hint === undefined ? {} : { hint }) })
}

const walkFile = async (
  walk: Walk,
  path: string,
  { place }: TextParam,
  running: readonly string[],
): Promise<number> => {
  const circle = circleOf(running, path)
  if (circle !== undefined) {
    add(walk, place, `The flows run each other in a circle: ${circle}.`, 'Use repeat for commands that run again.')
    return 0
  }
  const known = walk.heights.get(path)
  if (running.length + (known ?? 0) > SUBFLOW_LEVELS_MAX) {
    if (!walk.isTooDeep) add(walk, place, `Flows run each other over more than ${SUBFLOW_LEVELS_MAX} levels.`)
    walk.isTooDeep = true
    return 0
  }
  if (known !== undefined) return known
  const found = await walk.library.find(path)
  if (!found.ok) {
    add(walk, place, found.message)
    return 0
  }
  walk.files.add(path)
  const read = await walk.library.flow(path)
  if (read.ok) walk.warnings.push(...read.warnings)
  else walk.problems.push(...read.problems)
  const height = read.ok ? await walkFlow(walk, read.flow, [...running, path]) : 0
  walk.heights.set(path, height)
  return height
}

/** How many levels of subflows a flow has below it. */
const walkFlow = async (walk: Walk, flow: Flow, running: readonly string[]): Promise<number> => {
  let height = 0
  for (const { use, name } of commandsOf(flow).flatMap(namedBy)) {
    if (isDynamic(name.text)) continue
    const path = resolveName(name.text, flow.file, walk.directory)
    if (use === 'flow') {
      height = Math.max(height, 1 + (await walkFile(walk, path, name, running)))
      continue
    }
    const found = await walk.library.find(path)
    const read = found.ok && use === 'script' ? await walk.library.script(path) : found
    if (read.ok) walk.files.add(path)
    else add(walk, name.place, read.message)
  }
  return height
}

const emptyWalk = (library: FlowLibrary, directory: string): Walk => ({
  library,
  directory,
  problems: [],
  warnings: [],
  files: new Set(),
  heights: new Map(),
  isTooDeep: false,
})

const treeOf = ({ files, problems, warnings }: Walk, flow: Flow | undefined): FlowTree => ({
  flow,
  files: [...files],
  problems,
  warnings,
})

/** The directory is for the names in a flow that was given as text. */
export const checkFlowTree = async (library: FlowLibrary, flow: Flow, directory: string): Promise<FlowTree> => {
  const walk = emptyWalk(library, directory)
  await walkFlow(walk, flow, [flow.file])
  return treeOf(walk, flow)
}

export const readFlowTree = async (library: FlowLibrary, file: string): Promise<FlowTree> => {
  const read = await library.flow(file)
  if (!read.ok) return { flow: undefined, files: [file], problems: read.problems, warnings: [] }
  const tree = await checkFlowTree(library, read.flow, '/')
  return { ...tree, files: [file, ...tree.files], warnings: [...read.warnings, ...tree.warnings] }
}
