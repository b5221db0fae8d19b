/** GET /inspector: the viewer's page and its files. They hold no data, so that a browser can load them before it has the token. */
import { failure } from '../../contracts/failures.ts'
import type { RouteModule } from '../module.ts'
import { PAGE, pageFiles } from '../page-files.ts'

const notBuilt = failure('NOT_FOUND', 'This server has no viewer: its page was not built.', {
  hint: 'Run npm run build.',
})

export const inspectorRoutes: RouteModule = {
  tag: 'Viewer',
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
    const file = pageFiles(viewerFolder, notBuilt)
    app.get('/inspector', c => file(PAGE, c.req.raw.headers))
    app.get('/inspector/files/:name', c => file(c.req.param('name'), c.req.raw.headers))
  },
}
