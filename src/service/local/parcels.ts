/** Files that other hosts of the fleet bring here, and those that they fetch. */
import { open, stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { failure } from '../../contracts/failures/failures.ts'
import { ANSWERED_PIECE_BYTES } from '../../contracts/parcel.ts'
import { noReceipt } from '../executions/refusals.ts'
import type { ParcelStore } from '../parcels/store.ts'
import type { Parts } from '../parts.ts'
import { failed, type RequestOptions, type Service, success } from '../service.ts'

const nothing = () => failed(failure('NOT_FOUND', 'Files travel between the hosts of a fleet only.'))

const isOfFleet = ({ context }: RequestOptions): boolean => context.isStranger !== true

const pieceAt = async (path: string, offset: number): Promise<Buffer> => {
  const file = await open(path, 'r')
  try {
    const piece = Buffer.allocUnsafe(ANSWERED_PIECE_BYTES)
    const { bytesRead } = await file.read(piece, 0, piece.length, offset)
    return piece.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export const localParcels = (
  { receipts }: Pick<Parts, 'receipts'>,
  store: ParcelStore,
): Pick<Service, 'parcels.put' | 'parcels.get'> => {
  /** Finds the digest of the file that a step of an execution has pulled from its phone for another host. */
  const broughtBy = async (executionId: string, position: string): Promise<string | undefined> => {
    const receipt = await (await receipts()).receipt(executionId)
    if (!receipt) return undefined
    const steps = receipt.result?.ok ? receipt.result.envelope.stepResults : []
    const { actionType, success: didPull, data } = steps[Number(position)] ?? {}
    const path = data?.path
    if (actionType !== 'pull_file' || !didPull || typeof path !== 'string') return undefined
    return path.startsWith(store.broughtFolder + sep) ? path : undefined
  }

  return {
    async 'parcels.put'({ digest, deviceId: _, ...piece }, call) {
      if (!isOfFleet(call)) return nothing()
      const taken = await store.put(digest, piece)
      if (!taken.ok) return failed(failure('FILE_REFUSED', `The file was not taken: ${taken.problem}.`))
      return success({ ok: true, received: taken.received, whole: taken.whole })
    },
    async 'parcels.get'({ executionId, position, offset }, call) {
      if (!isOfFleet(call)) return nothing()
      if (!(await (await receipts()).receipt(executionId))) return failed(noReceipt(executionId))
      const path = await broughtBy(executionId, position)
      const packed = path === undefined ? undefined : await store.toSend(path)
      if (!packed) return failed(failure('NOT_FOUND', 'The execution has pulled no file there, or it is gone.'))
      const { size: total } = await stat(packed.path)
      const data = (await pieceAt(packed.path, offset)).toString('base64')
      return success({ ok: true, kind: packed.kind, total, digest: packed.digest, data })
    },
  }
}
