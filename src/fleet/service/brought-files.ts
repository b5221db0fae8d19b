/** An execution that another machine has sent with its files names them by their paths at this host. */
import { namesHostPaths } from '../../contracts/host-paths.ts'
import { isOfAnotherMachine } from '../../service/host-paths.ts'
import type { Run } from '../../service/local/run.ts'
import type { ParcelStore } from '../../service/parcels/store.ts'
import { failed } from '../../service/service.ts'
import { placeReferences } from '../parcels/resolve-references.ts'

export const withBroughtFiles =
  (run: Run, store: ParcelStore): Run =>
  async (work, call) => {
    const { context } = call
    if (!isOfAnotherMachine(context) || !work.execution.actions.some(namesHostPaths)) return run(work, call)
    // The files of a resumed execution were placed when it was first sent.
    const placed = work.resumed
      ? { ok: true as const, execution: work.execution }
      : await placeReferences(work.execution, store, context)
    if (placed === undefined) return run(work, call)
    if (!placed.ok) return failed(placed.error)
    const { execution } = placed
    const named = { ...context, hasBroughtFiles: true as const, fileRoots: [store.folder] }
    return run({ ...work, execution, input: execution }, { ...call, context: named })
  }
