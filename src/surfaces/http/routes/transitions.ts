/** GET /actors/events: every transition as it is recorded, of this host or of the fleet, and with Last-Event-ID what was missed. */

import { EVENT_NAMES } from '../../../contracts/doors/sse.ts'
import { positionText, readLogPosition } from '../../../contracts/fleet-log.ts'
import type { TransitionRecord } from '../../../contracts/records/actor.ts'
import { isActor } from '../../../contracts/records/machines.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { recordsAfter } from '../../../runtime/journal/reading.ts'
import { toTransition, watchTransitions } from '../../../runtime/transitions.ts'
import { refuse } from '../answer.ts'
import { mountDeclared } from '../declared-input.ts'
import { fleetScope, hasGone, unreachable, wrongId } from '../events/fleet-streams.ts'
import { createHub, type Hub } from '../events/hub.ts'
import type { Entry, Filter, Source } from '../events/ring.ts'
import { frame, HANDED_OVER, headOfStream, lastEventId } from '../events/sse.ts'
import type { AppParts, RouteModule } from '../module.ts'

const entryOf = (transition: TransitionRecord): Entry => {
  const { seq, actor, machine } = transition
  if (!isActor(transition)) return { seq, actor, machine, events: 0 }
  const chunk = Buffer.from(frame(seq, EVENT_NAMES.transition, JSON.stringify(transition)))
  return { seq, actor, machine, chunk, events: 1 }
}

function* entriesAfter(journal: Journal, seq: number, { actor, machine }: Filter): Generator<Entry> {
  const query = { ...(actor === undefined ? {} : { actor }), ...(machine === undefined ? {} : { machine }) }
  for (const record of recordsAfter(journal, seq, query)) yield entryOf(toTransition(record))
}

/** The transitions of all actors as one stream, from whichever process they come. */
export const createTransitions = ({ journal: opened, clock, note }: AppParts): Hub => {
  const journal = opened()
  const source: Source = {
    head: journal.head,
    after: (seq, filter) => entriesAfter(journal, seq, filter),
    startWatching: () => {
      const watch = watchTransitions(journal, {}, transition => hub.publish(entryOf(transition)))
      return () => watch.close()
    },
  }
  const hub = createHub({ clock, source, note })
  return hub
}

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
