/** GET /recordings/:recordingId/segments/:segment: a video from the disk, whole or the range that a player asks for. */

import { createReadStream, type Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { failure } from '../../../contracts/failures/failures.ts'
import { type Headers, refuse } from '../answer.ts'
import { mountDeclared } from '../declared-input.ts'
import type { RouteModule } from '../module.ts'

interface ByteRange {
  start: number
  /** The last byte that is wanted. */
  end: number
}

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/** The header Range of a request for bytes, as RFC 9110 has it: one range; anything else means the whole. */
export const rangeIn = (header: string | undefined, size: number): ByteRange | 'all' | 'outside' => {
  const [, first = '', last = ''] = ONE_RANGE.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return 'all'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'all'
  return start >= size ? 'outside' : { start, end }
}

const notFound = (recordingId: string, segment: string) =>
  failure('RECORDING_NOT_FOUND', `This host has no segment ${segment} of a recording ${recordingId}.`, {
    details: { recordingId, segment },
  })

const headersOf = ({ size, mtimeMs }: Stats): Headers => ({
  'Content-Type': 'video/mp4',
  'Accept-Ranges': 'bytes',
  ETag: `"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`,
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
})

/** Read as fast as the caller takes it; one that leaves ends the reading. */
const bytesOf = (path: string, range: ByteRange): ReadableStream =>
  Readable.toWeb(createReadStream(path, range)) as ReadableStream

export const videoRoutes: RouteModule = {
  mount(app, { clock, recordings }) {
    mountDeclared(app, clock, 'recordings.video', async c => {
      const { recordingId = '', segment = '' } = c.req.param() as Record<string, string>
      const path = recordings().videoFile(recordingId, segment)
      const found = path === undefined ? undefined : await stat(path).catch(() => undefined)
      if (path === undefined || !found?.isFile()) return refuse(notFound(recordingId, segment))
      const headers = headersOf(found)
      const { size } = found
      const isCurrent = [undefined, headers.ETag].includes(c.req.header('if-range'))
      const range = isCurrent ? rangeIn(c.req.header('range'), size) : 'all'
      if (range === 'outside')
        return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` } })
      if (size === 0) return new Response(null, { headers: { ...headers, 'Content-Length': '0' } })
      const part = range === 'all' ? { start: 0, end: size - 1 } : range
      const body = c.req.method === 'HEAD' ? null : bytesOf(path, part)
      return new Response(body, {
        status: range === 'all' ? 200 : 206,
        headers: {
          ...headers,
          'Content-Length': String(part.end - part.start + 1),
          ...(range === 'all' ? {} : { 'Content-Range': `bytes ${part.start}-${part.end}/${size}` }),
        },
      })
    })
  },
}
