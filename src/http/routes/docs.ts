/** GET /docs: the OpenAPI document as a page. As the viewer's, it holds no data and asks for the token itself. */
import { failure } from '../../contracts/failures.ts'
import type { RouteModule } from '../module.ts'
import { PAGE, pageFiles } from '../page-files.ts'

const notBuilt = failure('NOT_FOUND', 'This server has no documentation page: it was not built.', {
  hint: 'Run npm run build. GET /openapi.json is the document that the page shows.',
})

export const docsRoutes: RouteModule = {
  mount(app, { deps: { docsFolder } }) {
    const file = pageFiles(docsFolder, notBuilt)
    app.get('/docs', c => file(PAGE, c.req.raw.headers))
    app.get('/docs/files/:name', c => file(c.req.param('name'), c.req.raw.headers))
  },
}
