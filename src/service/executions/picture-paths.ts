/** The paths that the steps of an execution name for their pictures, which are part of its payload wherever it is run. */
import { createHash } from 'node:crypto'
import type { Execution } from '../../contracts/executions/execution.ts'

const SCREENSHOT = 'take_screenshot'

/** Holds the paths as the caller wrote them, by the position of their step. */
export type NamedPaths = ReadonlyMap<number, string>

/** The same execution is returned where no step names a path. */
export const withoutPicturePaths = (execution: Execution): { execution: Execution; named: NamedPaths } => {
  const named = new Map<number, string>()
  const actions = execution.actions.map((action, position) => {
    if (action.type !== SCREENSHOT || action.params?.path === undefined) return action
    const { path, ...params } = action.params
    named.set(position, path)
    return { ...action, params }
  })
  return { execution: named.size === 0 ? execution : { ...execution, actions }, named }
}

/** Undefined where no path is named. */
export const digestOfPaths = (named: NamedPaths): string | undefined =>
  named.size === 0
    ? undefined
    : createHash('sha256')
        .update(JSON.stringify([...named]))
        .digest('hex')
