/** An execution that came with references to files: they are at this host now, so it names them by their paths here. */
import { randomUUID } from 'node:crypto'
import type { RequestContext } from '../../contracts/doors/request-context.ts'
import type { Execution } from '../../contracts/executions/execution.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { hostPathsOf, namesHostPaths, withHostPaths } from '../../contracts/host-paths.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { readPulled, readReference } from '../../service/parcels/references.ts'
import type { ParcelStore } from '../../service/parcels/store.ts'

export type Placed = { ok: true; execution: Execution } | { ok: false; error: ErrorObject }

const gone = (action: Execution['actions'][number], why: string): Placed => ({
  ok: false,
  error: failure(
    'FILE_NOT_FOUND',
    `Step "${action.id}" (${action.type}) names a file that did not come along: ${why}.`,
    {
      details: { actionId: action.id, actionType: action.type, dispatched: false },
      hint: 'Send the request again: its files are brought with it.',
    },
  ),
})

/** Undefined where a step names another path: that is one of the machine of its caller. */
export const placeReferences = async (
  execution: Execution,
  store: ParcelStore,
  { idempotencyKey, executionId }: RequestContext,
): Promise<Placed | undefined> => {
  const request = idempotencyKey === undefined ? (executionId ?? randomUUID()) : `key ${idempotencyKey}`
  const paths = new Map<string, string>()
  for (const action of execution.actions.filter(namesHostPaths)) {
    const { reads, writes } = hostPathsOf(action)
    for (const path of reads) {
      const reference = readReference(path)
      if (!reference) return undefined
      try {
        const placed = await store.place(reference)
        if (placed === undefined) return gone(action, 'this host does not have it any more')
        paths.set(path, placed)
      } catch (error) {
        return gone(action, messageOf(error))
      }
    }
    for (const path of writes) {
      const pulled = readPulled(path)
      if (!pulled) return undefined
      paths.set(path, store.placeFor(pulled, request))
    }
  }
  const actions = execution.actions.map(action => withHostPaths(action, path => paths.get(path) ?? path))
  return { ok: true, execution: { ...execution, actions } }
}
