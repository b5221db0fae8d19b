/** GET /docs: the OpenAPI document as a page. As the viewer's, it holds no data and asks for the token itself. */
import { failure } from '../../contracts/failures.ts'
import type { RouteModule } from '../module.ts'
import { PAGE, pageFiles } from '../page-files.ts'

const notBuilt = failure('NOT_FOUND', 'This server has no documentation page: it was not built.', {
  hint: 'Run npm run build. GET /openapi.json is the document that the page shows.',
})

export const docsRoutes: RouteModule = {
  tag: 'Server',
  operations: [
    {
      method: 'get',
      path: '/docs',
      summary: 'This document as a page, on which requests can be tried.',
      answers: { type: 'text/html' },
      failures: ['NOT_FOUND'],
    },
    {
      method: 'get',
      path: '/docs/files/:name',
      summary: 'A file of that page: its script, its style.',
      answers: { type: 'application/octet-stream' },
      failures: ['NOT_FOUND'],
    },
  ],
  mount(app, { deps: { docsFolder } }) {
    const file = pageFiles(docsFolder, notBuilt)
    app.get('/docs', c => file(PAGE, c.req.raw.headers))
    app.get('/docs/files/:name', c => file(c.req.param('name'), c.req.raw.headers))
  },
}
