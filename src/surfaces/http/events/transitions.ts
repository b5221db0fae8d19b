/** Section Events and actors: the transitions of all actors as one stream, from whichever process they come. */

import { EVENT_NAMES } from '../../../contracts/doors/sse.ts'
import type { TransitionRecord } from '../../../contracts/records/actor.ts'
import { isActor } from '../../../contracts/records/machines.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { recordsAfter } from '../../../runtime/journal/reading.ts'
import { toTransition, watchTransitions } from '../../../runtime/transitions.ts'
import type { AppParts } from '../deps.ts'
import { createHub, type Hub } from './hub.ts'
import type { Entry, Filter, Source } from './ring.ts'
import { frame } from './sse.ts'

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
