/** POST /screenshot: takes a picture of the screen as an execution of one action that the server builds itself. */
import { failure } from '../../contracts/failures.ts'
import { ScreenshotBody } from '../../contracts/http.ts'
import { screenshotExecution } from '../../executions/synthetic.ts'
import { refuse } from '../answer.ts'
import type { RouteModule } from '../module.ts'
import { pathProblem, perform } from '../perform.ts'
import { readCapture } from './snapshot.ts'

export const screenshotRoutes: RouteModule = {
  mount(app, context) {
    const { deps } = context
    app.post('/screenshot', async c => {
      const read = await readCapture(c.env.incoming, ScreenshotBody, deps)
      if (!read.ok) return refuse(read.error)
      const { path } = read.body
      const problem = path === undefined ? undefined : await pathProblem(path, deps)
      if (problem !== undefined) {
        return refuse(failure('INVALID_PATH', `The screenshot cannot be written: ${problem}.`))
      }
      const execution = screenshotExecution({ origin: 'serve', now: deps.clock.now(), path })
      return perform(context, { execution, input: execution, ...read.target })
    })
  },
}
