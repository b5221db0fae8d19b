/** Screenshots of a phone of another host: taken there, and written here, where the caller asked for them. */
import type { ExecutionSuccess } from '../../contracts/execution-result.ts'
import { EXECUTION_ID_HEADER } from '../../contracts/headers.ts'
import { bringPictures, type FetchedPicture, PICTURE_MS, type Pictured } from '../../fleet/pictures.ts'
import { writeScreenshot } from '../../operator/screenshot-file.ts'
import { type ForwardOptions, forward, type Outcome } from './forward.ts'

export interface FetchOptions extends ForwardOptions {
  host: string
  /** Pictures with no path of their own go here. */
  folder: string
}

const fetchPicture = async (path: string, { host, ...options }: FetchOptions): Promise<FetchedPicture> => {
  const found = await forward(host, { method: 'GET', path, withinMs: PICTURE_MS }, options)
  if (found.kind === 'refused') return { ok: false, problem: found.error.message }
  const { status } = found.response
  return status === 200 ? { ok: true, png: found.body } : { ok: false, problem: `the host answered with ${status}` }
}

/** The answer, with the paths of pictures that were brought here in the place of those of the other host. */
export const fetchPictures = async (
  { response, body }: Extract<Outcome, { kind: 'answered' }>,
  pictured: Pictured,
  options: FetchOptions,
): Promise<Response> => {
  const { status } = response
  const executionId = response.headers.get(EXECUTION_ID_HEADER)
  const text = Buffer.from(body)
  if (status !== 200 || executionId === null || !text.includes('take_screenshot')) return response
  const { host, folder } = options
  const result = await bringPictures(JSON.parse(text.toString()) as ExecutionSuccess, {
    host,
    executionId,
    pictured,
    folder,
    fetch: route => fetchPicture(route, options),
    write: writeScreenshot,
  })
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(JSON.stringify(result), { status, headers })
}
