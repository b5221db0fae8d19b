/**
 * The files of the host that actions read and write, by their declared parameters. Pictures are not among them: they may
 * only go where an image is, and travel by themselves (`executions/picture-paths.ts`).
 */

/**
 * The parameters that name them. They are not on the cards, because the thin client of a daemon has room for 20,000 bytes of
 * code: the cards have as many again.
 */
const HOST_PATH_PARAMS: Readonly<Record<string, { key: string; use: keyof HostPaths }>> = {
  push_file: { key: 'from', use: 'reads' },
  install_app: { key: 'paths', use: 'reads' },
  add_media: { key: 'paths', use: 'reads' },
  pull_file: { key: 'to', use: 'writes' },
}

export interface HostPaths {
  reads: readonly string[]
  writes: readonly string[]
}

interface AnyAction {
  readonly type?: unknown
  readonly params?: unknown
}

const parameterOf = ({ type }: AnyAction) => {
  const plain = typeof type === 'string' ? type.trim().toLowerCase() : ''
  return Object.hasOwn(HOST_PATH_PARAMS, plain) ? HOST_PATH_PARAMS[plain] : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Finds what could be a path in an action that was not judged yet. */
export const hostPathsOf = (action: AnyAction): HostPaths => {
  const parameter = parameterOf(action)
  const { params } = action
  const pathParam = parameter && typeof params === 'object' && params !== null && Reflect.get(params, parameter.key)
  const paths = (Array.isArray(pathParam) ? pathParam : [pathParam]).filter(isText)
  return { reads: [], writes: [], ...(parameter ? { [parameter.use]: paths } : {}) }
}

export const namesHostPaths = (action: AnyAction): boolean => {
  const { reads, writes } = hostPathsOf(action)
  return reads.length + writes.length > 0
}

/** The same action where it names no host path. A blank one is left to be refused: no folder makes a path of it. */
export const withHostPaths = <A extends AnyAction>(action: A, change: (path: string) => string): A => {
  const parameter = parameterOf(action)
  if (!parameter || !namesHostPaths(action)) return action
  const params = action.params as Readonly<Record<string, unknown>>
  const pathParam = params[parameter.key]
  const place = (path: unknown) => (isText(path) && path.trim() !== '' ? change(path) : path)
  const changed = Array.isArray(pathParam) ? pathParam.map(place) : place(pathParam)
  return { ...action, params: { ...params, [parameter.key]: changed } }
}
