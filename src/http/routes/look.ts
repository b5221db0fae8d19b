/** POST /inspector/looks: a look of the viewer at a device, tree and picture. Of its pictures only the newest are kept. */
import type { Execution } from '../../contracts/execution.ts'
import { LookBody } from '../../contracts/http.ts'
import { frameOf } from '../../executions/synthetic.ts'
import { lookFolder, pruneLooks } from '../../viewer/pictures.ts'
import { refuse } from '../answer.ts'
import type { RouteModule } from '../module.ts'
import { perform } from '../perform.ts'
import { readCapture } from './snapshot.ts'

const lookAt = (now: number): Execution => ({
  ...frameOf('look', { origin: 'serve', now }),
  actions: [
    { id: 'tree', type: 'snapshot' },
    { id: 'picture', type: 'take_screenshot' },
  ],
})

export const lookRoutes: RouteModule = {
  mount(app, context) {
    const { deps } = context
    const { screenshots, clock, note } = deps
    const newFilesIn = lookFolder(screenshots.newFilesIn)
    const looking = { ...context, deps: { ...deps, screenshots: { ...screenshots, newFilesIn } } }
    app.post('/inspector/looks', async c => {
      const read = await readCapture(c.env.incoming, LookBody, deps)
      if (!read.ok) return refuse(read.error)
      const execution = lookAt(clock.now())
      const answer = await perform(looking, { execution, input: execution, ...read.target })
      await pruneLooks(newFilesIn, note)
      return answer
    })
  },
}
