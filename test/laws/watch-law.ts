/** Law 5: a watcher hears each transition that a journal records, once and in order, at whichever hosts it listens. */
import { isDeepStrictEqual } from 'node:util'
import type { TransitionRecord } from '../../src/contracts/records/actor.ts'
import type { Violation } from './laws.ts'
import type { Journal, Story, Watched } from './story.ts'

const ofHost = (events: readonly TransitionRecord[], host: string) => events.filter(event => event.host === host)

const problemsOf = ({ events, since }: Watched, { host, transitions }: Journal): string[] => {
  const heard = ofHost(events, host)
  const seqs = heard.map(({ seq }) => seq)
  const first = Math.min(...seqs, (since[host] ?? 0) + 1)
  const wanted = transitions.filter(({ seq }) => seq >= first)
  const missing = wanted.filter(({ seq }) => !seqs.includes(seq)).map(({ seq }) => seq)
  const disorder = seqs.find((seq, index) => index > 0 && seq <= (seqs[index - 1] ?? 0))
  const bySeq = new Map(transitions.map(one => [one.seq, one]))
  const other = heard.find(one => !isDeepStrictEqual(one, bySeq.get(one.seq)))
  return [
    ...(missing.length > 0 ? [`${missing.length} transitions of ${host} were not told: ${missing.slice(0, 5)}`] : []),
    ...(disorder === undefined ? [] : [`transition ${disorder} of ${host} came again, or too late`]),
    ...(other ? [`${JSON.stringify(other)} is not in the journal of ${host}`] : []),
  ]
}

export const watchersHeardAll = ({ watched, journals }: Pick<Story, 'watched' | 'journals'>): Violation[] =>
  watched.flatMap(watcher =>
    [...watcher.problems, ...journals.flatMap(journal => problemsOf(watcher, journal))].map(
      (says): Violation => ({ law: 5, about: watcher.watcher, says }),
    ),
  )
