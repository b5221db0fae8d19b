/** The files of a folder that may be flows: its own, or those that the patterns of the workspace name. */
import type { FlowFiles, FlowLibrary } from '../flow-library.ts'
import { FOLDER_ENTRIES_MAX } from '../limits.ts'
import type { Glob } from './glob.ts'

export type FoundFlows =
  | { readonly ok: true; readonly files: readonly string[] }
  | { readonly ok: false; readonly message: string }

const CONFIG_NAMES = ['config.yaml', 'config.yml']

export const isConfigName = (name: string): boolean => CONFIG_NAMES.includes(name)

const isYaml = (name: string): boolean => /\.ya?ml$/i.test(name)

const byCodePoint = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Undefined where more than the allowed entries had to be looked at. */
const yamlFilesIn = async (
  files: FlowFiles,
  root: string,
  depthMax: number | undefined,
): Promise<string[] | undefined> => {
  const found: string[] = []
  const open = [{ path: '', depth: 0 }]
  let seen = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = await files.list(`${root}/${next.path}`.replace(/(.)\/$/, '$1'))
    seen += entries.length
    if (seen > FOLDER_ENTRIES_MAX) return undefined
    for (const { name, kind } of entries) {
      const path = next.path === '' ? name : `${next.path}/${name}`
      if (kind === 'file' && isYaml(name)) found.push(path)
      else if (kind === 'folder' && (depthMax === undefined || next.depth < depthMax)) {
        open.push({ path, depth: next.depth + 1 })
      }
    }
  }
  return found.sort(byCodePoint)
}

/** Sorted by path. */
export const findFlows = async (
  library: FlowLibrary,
  folder: string,
  globs: readonly Glob[],
  configFile: string | undefined,
): Promise<FoundFlows> => {
  const included = globs.filter(({ isNegated }) => !isNegated)
  const excluded = globs.filter(({ isNegated }) => isNegated)
  const depths = included.map(({ depth }) => depth)
  const depth = depths.includes(undefined) ? undefined : Math.max(0, ...depths.flatMap(one => one ?? []))
  const root = folder.replace(/\/+$/, '')
  const paths = await yamlFilesIn(library.files, root, depth)
  if (paths === undefined) {
    const message = `${folder} and its folders have more than ${FOLDER_ENTRIES_MAX} entries.`
    return { ok: false, message }
  }
  const flows: string[] = []
  for (const path of paths) {
    const file = `${root}/${path}`
    const isNamed = included.some(glob => glob.matches(path)) && !excluded.some(glob => glob.matches(path))
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (isNamed && !isConfigName(name) && file !== configFile) flows.push(file)
  }
  return { ok: true, files: flows }
}
