/** The configuration of a workspace: which flows there are, and in which order they run. */
import { flagOf } from '../coerce.ts'
import type { Place } from '../command.ts'
import { didYouMean, type Problem } from '../problem.ts'
import { decodeText } from '../read/read-flow.ts'
import { readTexts } from '../read/read-param.ts'
import { readText } from '../read/read-selector.ts'
import { complain, complainOfKind, type Report, warn } from '../read/report.ts'
import type { MapNode, YamlNode } from '../yaml/node.ts'
import { readDocuments } from '../yaml/read-documents.ts'

export interface Workspace {
  /** Undefined: the flows of the folder itself. */
  readonly flows?: readonly string[] | undefined
  readonly includeTags: readonly string[]
  readonly excludeTags: readonly string[]
  readonly flowsOrder: readonly string[]
  readonly continueOnFailure: boolean
  readonly disablesAnimations: boolean
  readonly testOutputDir?: string | undefined
}

export type ReadWorkspace =
  | { readonly ok: true; readonly workspace: Workspace; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

export const DEFAULT_WORKSPACE: Workspace = {
  includeTags: [],
  excludeTags: [],
  flowsOrder: [],
  continueOnFailure: true,
  disablesAnimations: false,
}

/** A file with one of these in its header configures a workspace. The last five are for a cloud and mean nothing here. */
export const WORKSPACE_KEYS: readonly string[] = [
  ...['flows', 'includeTags', 'excludeTags', 'executionOrder', 'platform', 'testOutputDir', 'local', 'notifications'],
  ...['baselineBranch', 'disableRetries'],
]

const empty = (place: Place): YamlNode => ({ kind: 'empty', place })

const within = (report: Report, node: YamlNode, name: string): MapNode => {
  if (node.kind === 'map') return node
  if (node.kind !== 'empty') complainOfKind(report, node, name, 'a map of keys')
  return { kind: 'map', entries: [], place: node.place }
}

const warnOfUnknown = (report: Report, { entries }: MapNode, name: string, known: readonly string[]): void => {
  for (const { key, place } of entries)
    if (!known.includes(key))
      warn(report, place, `${name} has no key ${key}: it has no effect.`, didYouMean(key, known))
}

const readKeys = (report: Report, root: MapNode): Workspace => {
  const at = (node: MapNode, key: string): YamlNode =>
    node.entries.find(entry => entry.key === key)?.value ?? empty(node.place)
  const textsOf = (node: MapNode, key: string) => readTexts(report, at(node, key), key).map(({ text }) => text)
  const flagAt = (node: MapNode, key: string, fallback: boolean): boolean => {
    const text = readText(report, at(node, key), key, flagOf)
    const flag = text && flagOf(text.text)
    return flag?.ok === true ? flag.value : fallback
  }
  const order = within(report, at(root, 'executionOrder'), 'executionOrder')
  const platform = within(report, at(root, 'platform'), 'platform')
  const android = within(report, at(platform, 'android'), 'platform.android')
  warnOfUnknown(report, root, 'The configuration of a workspace', WORKSPACE_KEYS)
  warnOfUnknown(report, order, 'executionOrder', ['continueOnFailure', 'flowsOrder'])
  warnOfUnknown(report, platform, 'platform', ['android', 'ios', 'web'])
  warnOfUnknown(report, android, 'platform.android', ['disableAnimations'])
  const flows = at(root, 'flows')
  return {
    ...(flows.kind === 'empty' ? {} : { flows: textsOf(root, 'flows') }),
    includeTags: textsOf(root, 'includeTags'),
    excludeTags: textsOf(root, 'excludeTags'),
    flowsOrder: textsOf(order, 'flowsOrder'),
    continueOnFailure: flagAt(order, 'continueOnFailure', DEFAULT_WORKSPACE.continueOnFailure),
    disablesAnimations: flagAt(android, 'disableAnimations', DEFAULT_WORKSPACE.disablesAnimations),
    testOutputDir: readText(report, at(root, 'testOutputDir'), 'testOutputDir')?.text,
  }
}

/** Unknown keys have no effect, which a warning says; an empty file is a workspace with defaults. */
export const readWorkspace = (source: string | Uint8Array, file: string): ReadWorkspace => {
  const start: Place = { file, line: 1, column: 1 }
  const decoded = decodeText(source)
  if (!decoded.ok) return { ok: false, problems: [{ ...start, message: decoded.message }] }
  const read = readDocuments(decoded.text, file)
  if (!read.ok) return read
  const [root] = read.documents
  if (root === undefined || root.kind === 'empty') return { ok: true, workspace: DEFAULT_WORKSPACE, warnings: [] }
  const report: Report = { problems: [], warnings: [], lines: [] }
  if (root.kind !== 'map') {
    complain(report, root.place, 'A workspace is configured by keys such as flows and includeTags.')
    return { ok: false, problems: report.problems }
  }
  const workspace = readKeys(report, root)
  const { problems, warnings } = report
  return problems.length === 0 ? { ok: true, workspace, warnings } : { ok: false, problems }
}

/** Configures a workspace and is no flow: one document with a key of a workspace and without an application. */
export const looksLikeWorkspace = (source: Uint8Array, file: string): boolean => {
  const decoded = decodeText(source)
  const read = decoded.ok ? readDocuments(decoded.text, file) : undefined
  const [root, commands] = read?.ok === true ? read.documents : []
  if (root?.kind !== 'map' || (commands !== undefined && commands.kind !== 'empty')) return false
  const keys = root.entries.map(entry => entry.key)
  return !keys.includes('appId') && !keys.includes('url') && keys.some(key => WORKSPACE_KEYS.includes(key))
}
