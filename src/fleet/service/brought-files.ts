/** An execution that another machine has sent with its files names them by their paths at this host. */
import { namesHostPaths } from '../../contracts/host-paths.ts'
import { fileRootsOf, isOfAnotherMachine } from '../../service/host-paths.ts'
import type { Run } from '../../service/local/run.ts'
import type { ParcelStore } from '../../service/parcels/store.ts'
import { failed } from '../../service/service.ts'
import { placeReferences } from '../parcels/resolve-references.ts'

export const withBroughtFiles =
  (run: Run, store: ParcelStore): Run =>
  async (order, call) => {
    const { context } = call
    if (!isOfAnotherMachine(context) || !order.execution.actions.some(namesHostPaths)) return run(order, call)
    // The files of a resumed execution were placed when it was first sent.
    const placed = order.resumes
      ? { ok: true as const, execution: order.execution }
      : await placeReferences(order.execution, store, context)
    if (placed === undefined) return run(order, call)
    if (!placed.ok) return failed(placed.error)
    const { execution } = placed
    const named = { ...context, hasBroughtFiles: true as const, fileRoots: [store.folder] }
    const found = { ...order, execution, input: undefined, fileRoots: fileRootsOf(named) }
    return run(found, { ...call, context: named })
  }
