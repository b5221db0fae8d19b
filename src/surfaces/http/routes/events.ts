/** GET /events: the outcomes of executions as they come, of this listener or of the fleet, and with Last-Event-ID what was missed. */
import { refuse } from '../answer.ts'
import { mountDeclared } from '../declared-input.ts'
import { fleetScope, hasGone, readFleetPosition, unreachable, wrongId } from '../events/fleet-streams.ts'
import { readPosition } from '../events/outcome-frames.ts'
import { HANDED_OVER, headOfStream, lastEventId } from '../events/sse.ts'
import type { RouteModule } from '../module.ts'

const OF_THIS = 'an event of this stream'

export const eventRoutes: RouteModule = {
  mount(app, { clock, outcomes, fleetStreams }) {
    mountDeclared(app, clock, 'outcomes.follow', async (c, query) => {
      const { incoming, outgoing, streams } = c.env
      const scope = fleetScope(query.scope, fleetStreams)
      if (!scope.ok) return refuse(scope.error)
      const id = lastEventId(incoming)
      let forget = () => {}
      const onEnd = () => forget()

      if (scope.streams) {
        const from = id === undefined ? undefined : readFleetPosition(id)
        if (id !== undefined && !from) return refuse(wrongId('fleet', true, OF_THIS))
        if (incoming.method === 'HEAD') return headOfStream()
        try {
          const begin = await scope.streams.openOutcomes(from)
          if (hasGone(outgoing)) return HANDED_OVER
          forget = streams.add(begin(outgoing, onEnd).end)
          return HANDED_OVER
        } catch (error) {
          return refuse(unreachable(error))
        }
      }

      const position = id === undefined ? undefined : readPosition(id)
      if (id !== undefined && position === undefined) {
        return refuse(wrongId('host', fleetStreams !== undefined, OF_THIS))
      }
      if (incoming.method === 'HEAD') return headOfStream()
      const stream = outcomes.subscribe(outgoing, position, onEnd)
      forget = streams.add(stream.end)
      return HANDED_OVER
    })
  },
}
