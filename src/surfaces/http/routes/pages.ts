/** GET /docs, GET /docs/api and GET /inspector: pages and their files. They hold no data, so that a browser can load them before it has the token. */
import { failure } from '../../../contracts/failures/failures.ts'
import { ROUTES } from '../../../contracts/operations/routes.ts'
import { mountDeclared } from '../declared-input.ts'
import type { RouteModule } from '../module.ts'
import { PAGE, pageFiles } from '../page-files.ts'

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
