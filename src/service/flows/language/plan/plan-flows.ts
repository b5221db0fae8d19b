/** Chooses the flows of the given files and folders that run, with their names and their order. */
import { basename, resolve } from 'node:path'
import type { Flow, FlowOutline } from '../command.ts'
import { type FlowLibrary, notRegular } from '../flow-library.ts'
import type { Problem } from '../problem.ts'
import { findFlows, isConfigName } from './find-flows.ts'
import { type Glob, globOf } from './glob.ts'
import { orderFlows, type PlannedFlow } from './order-flows.ts'
import { DEFAULT_WORKSPACE, looksLikeWorkspace, readWorkspace, type Workspace } from './read-workspace.ts'

export interface FlowSelection {
  /** Absolute paths of files and folders. */
  readonly paths: readonly string[]
  readonly includeTags: readonly string[]
  readonly excludeTags: readonly string[]
  /** Absolute path; without it, the config.yaml of the first folder that has one. */
  readonly configFile?: string | undefined
}

export interface FlowPlan {
  /** In the order in which they begin. */
  readonly flows: readonly PlannedFlow[]
  /** So many of the first flows run one after the other, before all others. */
  readonly orderedCount: number
  readonly workspace: Workspace
  readonly configFile: string | undefined
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
}

interface Planning {
  readonly library: FlowLibrary
  readonly selection: FlowSelection
  readonly problems: Problem[]
  readonly warnings: Problem[]
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const add = ({ problems }: Planning, file: string, message: string, hint?: string) =>
  problems.push({ file, message, ...(hint === undefined ? {} : { hint }) })

const kindOf = async (planning: Planning, path: string) => {
  try {
    return await planning.library.files.kindOf(path)
  } catch (error) {
    add(planning, path, `${path} cannot be read: ${reasonOf(error)}`)
    return 'unreadable' as const
  }
}

const configOf = async (planning: Planning, folders: readonly string[]): Promise<string | undefined> => {
  const { configFile } = planning.selection
  if (configFile !== undefined) return configFile
  for (const folder of folders) {
    for (const name of ['config.yaml', 'config.yml']) {
      const path = `${folder.replace(/\/+$/, '')}/${name}`
      if ((await kindOf(planning, path)) === 'file') return path
    }
  }
  return undefined
}

const workspaceOf = async (planning: Planning, configFile: string | undefined): Promise<Workspace> => {
  if (configFile === undefined) return DEFAULT_WORKSPACE
  const found = await planning.library.find(configFile)
  if (!found.ok) {
    add(planning, configFile, found.message)
    return DEFAULT_WORKSPACE
  }
  try {
    const read = readWorkspace(await planning.library.files.read(configFile), configFile)
    if (read.ok) {
      planning.warnings.push(...read.warnings)
      return read.workspace
    }
    planning.problems.push(...read.problems)
  } catch (error) {
    add(planning, configFile, `${configFile} cannot be read: ${reasonOf(error)}`)
  }
  return DEFAULT_WORKSPACE
}

const globsOf = (planning: Planning, workspace: Workspace, configFile: string | undefined): readonly Glob[] =>
  (workspace.flows ?? ['*']).flatMap(pattern => {
    const glob = globOf(pattern)
    if (glob === undefined)
      add(planning, configFile ?? '', `The pattern ${pattern} is too long, or has too many alternatives in braces.`)
    return glob ?? []
  })

interface Candidate {
  readonly file: string
  /** Found in a folder, which may also hold configurations of workspaces under any name. */
  readonly isFound: boolean
}

/** In the order of the given paths; a folder gives its files by path. */
const filesOf = async (
  planning: Planning,
  kinds: ReadonlyMap<string, 'file' | 'folder'>,
  globs: readonly Glob[],
  configFile: string | undefined,
): Promise<readonly Candidate[]> => {
  const files = new Map<string, Candidate>()
  const take = (file: string, isFound: boolean) => {
    if (!files.has(file)) files.set(file, { file, isFound })
  }
  for (const [path, kind] of kinds) {
    if (kind === 'file') {
      // A single file is what somebody asked for, whatever its name.
      const isFlow = kinds.size === 1 || !(isConfigName(basename(path)) || path === configFile)
      if (isFlow) take(path, false)
      continue
    }
    try {
      const found = await findFlows(planning.library, path, globs, configFile)
      if (found.ok) for (const file of found.files) take(file, true)
      else add(planning, path, found.message)
    } catch (error) {
      add(planning, path, `${path} cannot be read: ${reasonOf(error)}`)
    }
  }
  return [...files.values()]
}

const emptyPlan = (planning: Planning, workspace: Workspace, configFile: string | undefined): FlowPlan => ({
  flows: [],
  orderedCount: 0,
  workspace,
  configFile,
  problems: planning.problems,
  warnings: planning.warnings,
})

const noFlowsHint = (workspace: Workspace): string =>
  workspace.flows === undefined
    ? 'Flows are .yaml files of the folder itself; name those of other folders with flows in config.yaml.'
    : `The patterns are ${workspace.flows.join(', ') || 'none'}; at least one without ! must match.`

/** A copy: what is cut out of the text of a file would keep all of it. */
export const outlineOf = ({ file, config: { appId, url, name, tags, properties } }: Flow): FlowOutline => ({
  file,
  config: JSON.parse(JSON.stringify({ appId, url, name, tags, properties })),
})

const isWorkspace = async ({ files }: FlowLibrary, file: string): Promise<boolean> => {
  try {
    return looksLikeWorkspace(await files.read(file), file)
  } catch {
    return false
  }
}

const absentProblem = (file: string): Problem => ({
  file,
  message: `There is no file or folder ${file}.`,
  hint: 'Correct the path: it must name a file or a folder that is there.',
})

/** The problems of paths where nothing is. */
export const absentPaths = async ({ files }: FlowLibrary, paths: readonly string[]): Promise<Problem[]> => {
  const problems: Problem[] = []
  for (const path of paths) {
    // A path that cannot be looked at is told when the run is planned.
    const kind = await files.kindOf(path).catch(() => 'unreadable' as const)
    if (kind === undefined) problems.push(absentProblem(path))
  }
  return problems
}

/** `onChosen` is told each flow that will run while the library still holds it. */
export const planFlows = async (
  library: FlowLibrary,
  selection: FlowSelection,
  onChosen: (file: string) => Promise<void> = async () => {},
): Promise<FlowPlan> => {
  const planning: Planning = { library, selection, problems: [], warnings: [] }
  const kinds = new Map<string, 'file' | 'folder'>()
  for (const path of selection.paths.map(one => resolve('/', one))) {
    const kind = await kindOf(planning, path)
    if (kind === undefined) planning.problems.push(absentProblem(path))
    else if (kind === 'special') add(planning, path, notRegular(path))
    else if (kind !== 'unreadable') kinds.set(path, kind)
  }
  const folders = [...kinds].flatMap(([path, kind]) => (kind === 'folder' ? [path] : []))
  const configFile = await configOf(planning, folders)
  const workspace = await workspaceOf(planning, configFile)
  if (planning.problems.length > 0) return emptyPlan(planning, workspace, configFile)
  const globs = globsOf(planning, workspace, configFile)
  const candidates = await filesOf(planning, kinds, globs, configFile)
  const isSingleFile = kinds.size === 1 && folders.length === 0
  const tags = {
    include: isSingleFile ? [] : [...selection.includeTags, ...workspace.includeTags],
    exclude: isSingleFile ? [] : [...selection.excludeTags, ...workspace.excludeTags],
  }
  const isWanted = ({ config }: FlowOutline) =>
    (tags.include.length === 0 || config.tags.some(tag => tags.include.includes(tag))) &&
    !config.tags.some(tag => tags.exclude.includes(tag))
  const chosen: FlowOutline[] = []
  let flowFiles = 0
  for (const { file, isFound } of candidates) {
    const read = await library.flow(file)
    if (!read.ok && isFound && (await isWorkspace(library, file))) continue
    flowFiles += 1
    if (read.ok) {
      const flow = outlineOf(read.flow)
      planning.warnings.push(...read.warnings)
      if (!isWanted(flow)) continue
      chosen.push(flow)
      await onChosen(file)
    } else planning.problems.push(...read.problems)
  }
  if (flowFiles === 0 && planning.problems.length === 0) {
    const where = selection.paths.join(', ')
    if (where === '') add(planning, '', 'No file or folder with flows is named.')
    else add(planning, selection.paths[0] ?? '', `No flows in ${where}.`, noFlowsHint(workspace))
  }
  if (chosen.length === 0 && planning.problems.length === 0) {
    const wanted = `include ${tags.include.join(', ') || 'any'}; exclude ${tags.exclude.join(', ') || 'none'}`
    add(planning, selection.paths[0] ?? '', 'No flow has the wanted tags.', `The tags are: ${wanted}.`)
  }
  const order = orderFlows(chosen, workspace, folders)
  if (!order.ok) planning.problems.push({ file: configFile ?? '', message: order.message })
  else if (order.leftOut.length > 0) {
    const message = `flowsOrder names flows that do not run: ${order.leftOut.join(', ')}.`
    planning.warnings.push({ file: configFile ?? '', message })
  }
  return {
    ...emptyPlan(planning, workspace, configFile),
    flows: order.ok ? order.flows : [],
    orderedCount: order.ok ? order.orderedCount : 0,
  }
}
