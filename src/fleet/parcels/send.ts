/** Brings a file of this machine to another host, piece by piece; what that host has of it already is not sent again. */
import { type FileHandle, open } from 'node:fs/promises'
import { failure } from '../../contracts/failures/failures.ts'
import { PIECE_BYTES } from '../../contracts/parcel.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { failed, type RequestOptions, type Result, type Service, success } from '../../service/service.ts'

export interface FileToSend {
  path: string
  digest: string
  bytes: number
}

export interface SendOptions {
  service: Pick<Service, 'parcels.put'>
  call: RequestOptions
  /** Names the host, where that is not decided yet. */
  deviceId?: string | undefined
  /** Told how many bytes are there. */
  told?: ((done: number) => void) | undefined
}

/** A host may lose what it had, and a second sender may be quicker; not without end. */
const STOPS_MAX = 8
const LOST_MAX = 3

const readAt = async (file: FileHandle, offset: number, piece: Buffer): Promise<Buffer> => {
  const { bytesRead } = await file.read(piece, 0, piece.length, offset)
  return piece.subarray(0, bytesRead)
}

const changed = ({ path }: FileToSend) =>
  failed(
    failure('FILE_REFUSED', `${path} was changed while it was sent. Nothing was done on the device.`, {
      hint: 'Send it again when nothing writes to it.',
    }),
  )

const sendPieces = async (file: FileHandle, sent: FileToSend, options: SendOptions): Promise<Result<undefined>> => {
  const { service, call, deviceId, told: onProgress } = options
  const { digest, bytes: total } = sent
  const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(total, 1)))
  const at = deviceId === undefined ? {} : { deviceId }
  let stops = 0
  let lost = 0
  // The first one carries nothing: it asks what is there.
  let data = ''
  for (let offset = 0; ; ) {
    const put = await service['parcels.put']({ digest, total, offset, data, ...at }, call)
    if (!put.ok) {
      // A piece may be sent twice: it is taken once.
      if (put.unanswered === undefined || call.signal?.aborted || ++lost > LOST_MAX) return put
      data = ''
      continue
    }
    const { received, whole } = put.value
    onProgress?.(received)
    if (whole) return success(undefined)
    const isFurther = data === '' ? received >= offset : received > offset
    if (!isFurther && ++stops > STOPS_MAX) return changed(sent)
    offset = received
    const piece = await readAt(file, offset, buffer)
    if (piece.length === 0) return changed(sent)
    data = piece.toString('base64')
  }
}

export const sendFile = async (sent: FileToSend, options: SendOptions): Promise<Result<undefined>> => {
  let file: FileHandle
  try {
    file = await open(sent.path, 'r')
  } catch (error) {
    return failed(failure('FILE_NOT_FOUND', `${sent.path} cannot be read: ${messageOf(error)}`))
  }
  try {
    return await sendPieces(file, sent, options)
  } finally {
    await file.close()
  }
}
