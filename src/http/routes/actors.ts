/** The actors behind the service: who they are, what each has been through, and every transition as it is recorded. */
import type { ActorHistoryResponse, ActorResponse, ActorSummary, ActorsResponse } from '../../contracts/actor.ts'
import { failure } from '../../contracts/failures.ts'
import { readLogPosition } from '../../contracts/fleet-log.ts'
import { HistoryQuery, TransitionsQuery } from '../../contracts/http.ts'
import type { JournalRecord } from '../../contracts/journal.ts'
import { isActor } from '../../contracts/machines.ts'
import { answer, refuse } from '../answer.ts'
import { fleetScope, hasGone, unreachable, wrongId } from '../events/scope.ts'
import { HANDED_OVER, headOfStream, lastEventId } from '../events/sse.ts'
import type { RouteModule } from '../module.ts'
import { readQuery } from '../query.ts'
import { recentActors } from '../recent-actors.ts'

const OPENING = ': transitions follow\n\n'

const readSeq = (id: string): number | undefined => (/^\d{1,15}$/.test(id) ? Number(id) : undefined)

const summary = ({ actor, machine, to, tags, at }: JournalRecord): ActorSummary => ({
  id: actor,
  machine,
  state: to,
  tags,
  updatedAt: at,
})

const notFound = (id: string): Response =>
  refuse(failure('ACTOR_NOT_FOUND', 'No actor has this id.', { details: { id } }))

export const actorRoutes: RouteModule = {
  mount(app, { deps: { journal }, transitions, fleetStreams }) {
    const find = (id: string) => {
      const newest = journal.last(id)
      return newest && isActor(newest) ? newest : undefined
    }

    app.get('/actors', () => {
      const response: ActorsResponse = { ok: true, actors: recentActors(journal).map(summary) }
      return answer(response)
    })

    app.get('/actors/events', async c => {
      const { incoming, outgoing, streams } = c.env
      const read = readQuery(incoming.url ?? '', TransitionsQuery)
      if (!read.ok) return refuse(read.error)
      const { scope: asked, ...filter } = read.query
      const scope = fleetScope(asked, fleetStreams)
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
      const stream = hub.subscribe({ ...filter, outgoing, after, opening: OPENING, onEnd })
      forget = streams.add(stream.end)
      return HANDED_OVER
    })

    app.get('/actors/:id', c => {
      const id = c.req.param('id')
      const newest = find(id)
      if (!newest) return notFound(id)
      const response: ActorResponse = { ok: true, actor: summary(newest) }
      return answer(response)
    })

    app.get('/actors/:id/history', c => {
      const id = c.req.param('id')
      const read = readQuery(c.env.incoming.url ?? '', HistoryQuery)
      if (!read.ok) return refuse(read.error)
      if (!find(id)) return notFound(id)
      const { after = 0, limit } = read.query
      const records = journal.records({ actor: id, after, limit: limit + 1 })
      const page = records.slice(0, limit)
      const events = page.map(({ seq, at, event }) => ({ seq, at, type: event.type, event }))
      const next = records.length > limit ? page.at(-1)?.seq : undefined
      const response: ActorHistoryResponse = { ok: true, events, ...(next === undefined ? {} : { next }) }
      return answer(response)
    })
  },
}
