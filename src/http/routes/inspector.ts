/** GET /inspector: the viewer's page and its files. They hold no data, so that a browser can load them before it has the token. */
import { failure } from '../../contracts/failures.ts'
import type { RouteModule } from '../module.ts'
import { PAGE, pageFiles } from '../page-files.ts'

const notBuilt = failure('NOT_FOUND', 'This server has no viewer: its page was not built.', {
  hint: 'Run npm run build.',
})

export const inspectorRoutes: RouteModule = {
  mount(app, { deps: { viewerFolder } }) {
    const file = pageFiles(viewerFolder, notBuilt)
    app.get('/inspector', c => file(PAGE, c.req.raw.headers))
    app.get('/inspector/files/:name', c => file(c.req.param('name'), c.req.raw.headers))
  },
}
