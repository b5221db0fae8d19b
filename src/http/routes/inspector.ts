/** GET /inspector: the viewer's page and its files. They hold no data, so that a browser can load them before it has the token. */
import { failure } from '../../contracts/failures.ts'
import { type Asset, type Assets, loadAssets } from '../../viewer/assets.ts'
import { refuse } from '../answer.ts'
import type { RouteModule } from '../module.ts'

/** Nothing from elsewhere, nothing inline, in nobody's frame. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
} as const

const served = ({ content, gzip, type, etag }: Asset, asked: Headers): Response => {
  const headers = { ...PAGE_HEADERS, 'Content-Type': type, ETag: etag }
  if (asked.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  const isZipped = gzip !== undefined && /\bgzip\b/.test(asked.get('accept-encoding') ?? '')
  const bytes = isZipped ? gzip : content
  return new Response(new Uint8Array(bytes), {
    headers: isZipped ? { ...headers, 'Content-Encoding': 'gzip' } : headers,
  })
}

const notBuilt = () =>
  refuse(failure('NOT_FOUND', 'This server has no viewer: its page was not built.', { hint: 'Run npm run build.' }))

const noFile = () => refuse(failure('NOT_FOUND', 'The viewer has no such file.'))

const PAGE = 'index.html'

export const inspectorRoutes: RouteModule = {
  operations: [
    {
      method: 'get',
      path: '/inspector',
      summary: 'The viewer, a page that shows actors, executions and devices live.',
      answers: { type: 'text/html' },
      failures: ['NOT_FOUND'],
    },
    {
      method: 'get',
      path: '/inspector/files/:name',
      summary: 'A file of the viewer: its script, its style, a statechart.',
      answers: { type: 'application/octet-stream' },
      failures: ['NOT_FOUND'],
    },
  ],
  mount(app, { deps: { viewerFolder } }) {
    let loaded: Assets | undefined
    const assets = () => {
      if (viewerFolder !== undefined) loaded ??= loadAssets(viewerFolder)
      return loaded
    }
    const file = (name: string, asked: Headers): Response => {
      const files = assets()
      if (!files) return notBuilt()
      const asset = files.get(name)
      return asset ? served(asset, asked) : noFile()
    }
    app.get('/inspector', c => file(PAGE, c.req.raw.headers))
    app.get('/inspector/files/:name', c => file(c.req.param('name'), c.req.raw.headers))
  },
}
