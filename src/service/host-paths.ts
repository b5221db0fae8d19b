/** Judges the files of this host that an execution names: whether they are of this host at all, and open to its caller. */

import type { RequestContext } from '../contracts/doors/request-context.ts'
import type { Execution } from '../contracts/executions/execution.ts'
import type { ErrorObject } from '../contracts/failures/error.ts'
import { failure } from '../contracts/failures/failures.ts'
import { hostPathsOf, namesHostPaths, withHostPaths } from '../contracts/host-paths.ts'
import { pathInRoots, ROOTS_HINT } from '../device/files/file-roots.ts'
import { absolutePath } from '../runtime/files/absolute-path.ts'

/** Undefined for a caller who may name any. An agent may name none unless folders were opened for it. */
export const fileRootsOf = ({ fileRoots, caller }: RequestContext): readonly string[] | undefined =>
  fileRoots ?? (caller === 'mcp' ? [] : undefined)

/** Relative paths begin in `relativeTo`; the same execution is returned where no step names a file of the host. */
export const withAbsolutePaths = (execution: Execution, relativeTo: string): Execution => {
  if (!execution.actions.some(namesHostPaths)) return execution
  return {
    ...execution,
    actions: execution.actions.map(action => withHostPaths(action, path => absolutePath(relativeTo, path))),
  }
}

/** A path is one of the machine of its caller: on another one it would name another file. */
export const elsewhereProblem = ({ actions }: Execution, host: string): ErrorObject | undefined => {
  const index = actions.findIndex(namesHostPaths)
  const action = actions[index]
  if (!action) return undefined
  const message = `actions[${index}] (${action.type}) names files of the machine of its caller that were not sent along to host ${host}.`
  return failure('FILE_REFUSED', message, {
    details: { actionId: action.id, actionType: action.type, host, dispatched: false },
    hint: `Ask with the svc of the same version as that of host ${host}: it sends files along.`,
  })
}

/** True for a request that came through the fleet, whose caller may sit at another machine. */
export const isOfAnotherMachine = ({ sent, isFromFleet, hasBroughtFiles }: RequestContext): boolean =>
  (sent !== undefined || isFromFleet === true) && hasBroughtFiles !== true

/** Why the files that an execution names cannot be sent along to another host; its paths are absolute. */
export const unsendableProblem = async (
  execution: Execution,
  context: RequestContext,
  host: string,
): Promise<ErrorObject | undefined> =>
  (isOfAnotherMachine(context) ? elsewhereProblem(execution, host) : undefined) ??
  (await hostPathProblem(execution, context))

/** The first file that this caller may not name: checked before anything is sent to a device, and again when it is opened. */
export const hostPathProblem = async (
  { actions }: Execution,
  context: RequestContext,
): Promise<ErrorObject | undefined> => {
  const roots = fileRootsOf(context)
  if (roots === undefined) return undefined
  for (const [index, action] of actions.entries()) {
    const { reads, writes } = hostPathsOf(action)
    for (const path of [...reads, ...writes]) {
      const found = await pathInRoots(path, roots)
      if (found.ok) continue
      return failure('FILE_REFUSED', `actions[${index}] (${action.type}): ${found.problem}.`, {
        details: { path, actionId: action.id, actionType: action.type, dispatched: false },
        hint: ROOTS_HINT,
      })
    }
  }
  return undefined
}
