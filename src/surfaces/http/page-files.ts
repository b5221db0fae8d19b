/** The pages that the build left beside the program: their files, and what browsers may do with them. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { type Asset, type Assets, loadAssets } from '../../service/traces/assets.ts'
import { refuse } from './answer.ts'

/** Nothing from elsewhere, nothing inline, in nobody's frame. */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
} as const

const served = ({ content, gzip, type, etag }: Asset, requestHeaders: Headers): Response => {
  const headers = { ...PAGE_HEADERS, 'Content-Type': type, ETag: etag }
  if (requestHeaders.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  const isZipped = gzip !== undefined && /\bgzip\b/.test(requestHeaders.get('accept-encoding') ?? '')
  const bytes = isZipped ? gzip : content
  return new Response(new Uint8Array(bytes), {
    headers: isZipped ? { ...headers, 'Content-Encoding': 'gzip' } : headers,
  })
}

export const PAGE = 'index.html'

const NO_FILE = failure('NOT_FOUND', 'The page has no such file.')

/** Reads the folder when a file of it is first asked for. Without a folder every answer is `notBuilt`. */
export const pageFiles = (folder: string | undefined, notBuilt: ErrorObject, noFile: ErrorObject = NO_FILE) => {
  let loaded: Assets | undefined
  return (name: string, requestHeaders: Headers): Response => {
    if (folder === undefined) return refuse(notBuilt)
    loaded ??= loadAssets(folder)
    const asset = loaded.get(name)
    return asset ? served(asset, requestHeaders) : refuse(noFile)
  }
}
