/** GET /actors/events: every transition as it is recorded, of this host or of the fleet, and with Last-Event-ID what was missed. */
import { positionText, readLogPosition } from '../../../contracts/fleet-log.ts'
import { refuse } from '../answer.ts'
import { mountDeclared } from '../declared-input.ts'
import { fleetScope, hasGone, unreachable, wrongId } from '../events/scope.ts'
import { HANDED_OVER, headOfStream, lastEventId } from '../events/sse.ts'
import type { RouteModule } from '../module.ts'

/** A reader whose connection breaks before its first transition goes on from here. */
const openingAt = (id: string | number): string => `: transitions follow\nid: ${id}\n\n`

const readSeq = (id: string): number | undefined => (/^\d{1,15}$/.test(id) ? Number(id) : undefined)

export const transitionRoutes: RouteModule = {
  mount(app, { clock, transitions, fleetStreams }) {
    mountDeclared(app, clock, 'actors.follow', async (c, query) => {
      const { incoming, outgoing, streams } = c.env
      const { scope: wantedScope, ...filter } = query
      const scope = fleetScope(wantedScope, fleetStreams)
      if (!scope.ok) return refuse(scope.error)
      const id = lastEventId(incoming)
      const after = id === undefined ? undefined : scope.streams ? readLogPosition(id) : readSeq(id)
      if (id !== undefined && after === undefined) {
        return refuse(
          scope.streams
            ? wrongId('fleet', true, 'a transition, two numbers with a point between them')
            : wrongId('host', fleetStreams !== undefined, 'a transition, a whole number'),
        )
      }
      if (incoming.method === 'HEAD') return headOfStream()
      try {
        await scope.streams?.ready(after)
      } catch (error) {
        return refuse(unreachable(error))
      }
      if (hasGone(outgoing)) return HANDED_OVER
      let forget = () => {}
      const onEnd = () => forget()
      const hub = scope.streams?.transitions ?? transitions
      const opening = (at: number) => openingAt(scope.streams ? positionText(at) : at)
      const stream = hub.subscribe({ ...filter, outgoing, after, opening, onEnd })
      forget = streams.add(stream.end)
      return HANDED_OVER
    })
  },
}
