/** GET /docs, GET /docs/api and GET /inspector: pages and their files. They hold no data, so that a browser can load them before it has the token. */

import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { ROUTES } from '../../../contracts/operations/routes.ts'
import { type Asset, type Assets, loadAssets } from '../../../service/traces/assets.ts'
import { refuse } from '../answer.ts'
import { mountDeclared } from '../declared-input.ts'
import type { RouteModule } from '../module.ts'

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

const PAGE = 'index.html'

const NO_FILE = failure('NOT_FOUND', 'The page has no such file.')

/** Reads the folder when a file of it is first asked for. Without a folder every answer is `notBuilt`. */
const pageFiles = (folder: string | undefined, notBuilt: ErrorObject, noFile: ErrorObject = NO_FILE) => {
  let loaded: Assets | undefined
  return (name: string, requestHeaders: Headers): Response => {
    if (folder === undefined) return refuse(notBuilt)
    loaded ??= loadAssets(folder)
    const asset = loaded.get(name)
    return asset ? served(asset, requestHeaders) : refuse(noFile)
  }
}

const noDocs = failure('NOT_FOUND', 'This server has no documentation: its pages were not built.', {
  hint: 'Run npm run build, or read the folder docs of the source.',
})

const noDocsFile = failure('NOT_FOUND', 'The documentation has no such page.', { hint: 'GET /docs lists the pages.' })

const noViewer = failure('NOT_FOUND', 'This server has no viewer: its page was not built.', {
  hint: 'Run npm run build.',
})

/** A browser may call them with a slash at the end. */
const PAGES = ['server.viewer', 'server.docs', 'server.api'] as const
const PERMANENT_REDIRECT = 308

export const pageRoutes: RouteModule = {
  mount(app, { clock, docsFolder, viewerFolder }) {
    const docs = pageFiles(docsFolder, noDocs, noDocsFile)
    const fileOf = (name: string) => (name.includes('.') ? name : `${name}.html`)
    for (const id of PAGES) {
      const [, path] = ROUTES[id]
      app.get(`${path}/`, c => c.redirect(path, PERMANENT_REDIRECT))
    }
    mountDeclared(app, clock, 'server.docs', c => docs(PAGE, c.req.raw.headers))
    mountDeclared(app, clock, 'server.api', c => docs('api.html', c.req.raw.headers))
    mountDeclared(app, clock, 'server.docsFile', c => docs(fileOf(c.req.param('name') ?? ''), c.req.raw.headers))
    const viewer = pageFiles(viewerFolder, noViewer)
    mountDeclared(app, clock, 'server.viewer', c => viewer(PAGE, c.req.raw.headers))
    mountDeclared(app, clock, 'server.viewerFile', c => viewer(c.req.param('name') ?? '', c.req.raw.headers))
  },
}
