/** Mirrors of journals in memory, readers of the log into lists, and what such a list must hold. */

import type { LogEntry } from '../../../src/contracts/fleet-log.ts'
import type { OutcomeParts } from '../../../src/fleet/log/log-message.ts'
import { createLogReader } from '../../../src/fleet/log/log-reader.ts'
import { type Mirror, startMirror } from '../../../src/fleet/log/mirror.ts'
import type { FleetConnection } from '../../../src/fleet/servers/connection.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import { toTransition } from '../../../src/runtime/transitions.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { until, wait } from '../../support/until.ts'
import type { Servers } from './servers.ts'

export const clock = systemClock()
export const newJournal = () => memoryJournal({ alive: () => true, clock })

interface MirrorOf {
  servers: Servers
  connection: FleetConnection
  journal: Journal
  host?: string
  notes?: string[] | undefined
  outcomes?: Map<number, OutcomeParts>
}

export const mirrorOf = ({
  servers,
  connection,
  journal,
  host = 'a',
  notes = [],
  outcomes = new Map(),
}: MirrorOf): Mirror =>
  startMirror({
    connection,
    names: servers.names,
    host,
    journal,
    clock,
    note: text => void notes.push(text),
    outcomeOf: ({ seq }) => outcomes.get(seq),
  })

export const readerOf = (servers: Servers, connection: FleetConnection) =>
  createLogReader({ connection, names: servers.names, clock, note: () => {} })

/** Follows the log into a list. */
export const followed = (servers: Servers, connection: FleetConnection, after = 0) => {
  const entries: LogEntry[] = []
  const ended = new AbortController()
  let last = after
  const running = readerOf(servers, connection).follow(
    after,
    message => {
      last = message.sequence
      entries.push(...message.entries)
    },
    ended.signal,
  )
  return {
    entries,
    last: () => last,
    async end() {
      ended.abort()
      await running
    },
  }
}

export const fill = async (journal: Journal, from: number, to: number, actor = 'device:d1') => {
  for (let n = from; n < to; n++) await journal.append(recordOf(actor, n, { at: clock.now() }))
}

/** Appends without a pause to speak of until it is ended. */
export const writing = (journal: Journal) => {
  let isOver = false
  const running = (async () => {
    for (let n = 0; !isOver; n += 5) {
      await fill(journal, n, n + 5)
      await wait(5)
    }
  })()
  return async () => {
    isOver = true
    await running
  }
}

/** A host that writes without a pause, what is mirrored of it, and what a reader has of that. */
export const busyLog = async (servers: Servers, url?: string, notes?: string[]) => {
  const journal = newJournal()
  const mirror = mirrorOf({ servers, connection: await servers.connect('a', url), journal, notes })
  const reader = followed(servers, await servers.connect('r'))
  const end = writing(journal)
  await until(() => reader.entries.length > 20, 'the first records')
  return {
    journal,
    entries: reader.entries,
    /** Ends the writing, and waits until the reader has all of it. */
    async finish() {
      await end()
      await mirrored(mirror)
      await until(() => reader.entries.length >= journal.head(), 'all of it', 40_000)
      await Promise.all([mirror.close(), reader.end()])
    },
  }
}

export const mirrored = (mirror: Mirror, ms = 40_000) =>
  until(() => mirror.lag().head > 0 && mirror.lag().head === mirror.lag().mirrored, 'the mirror', ms)

export const transitionsOf = (entries: readonly LogEntry[], host = 'a') =>
  entries.flatMap(({ transition }) => (transition?.host === host ? [transition] : []))

export const told = (journal: Journal, host = 'a') =>
  [...recordsAfter(journal, 0, {})].map(record => ({ ...toTransition(record), host }))
