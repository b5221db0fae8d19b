/** Section Fleet: the transitions and the outcomes of every host as one stream each, whose positions any host can resume. */

import type { ServerResponse } from 'node:http'
import { EVENT_NAMES } from '../../../contracts/doors/sse.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { type GapData, type LogEntry, positionText, readLogPosition } from '../../../contracts/fleet-log.ts'
import { SSE_QUEUE_EVENTS } from '../../../contracts/limits/limits.ts'
import { isActor } from '../../../contracts/records/machines.ts'
import type { SharedLog } from '../../../fleet/log/shared-log.ts'
import { pause } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { Parts } from '../../../service/parts.ts'
import { readResultText } from '../answer.ts'
import { createHub, type Hub } from './hub.ts'
import { executionFrame, heartbeatFrame, type OutcomeIds, type OutcomeText, outcomeFrames } from './outcome-frames.ts'
import type { Entry, Page } from './ring.ts'
import { frame } from './sse.ts'

/** Section Fleet: whether a stream tells of this host or of its whole fleet, and where it resumes there. */
export type Scope = 'host' | 'fleet'

/** Whoever resumes across the fleet does not say so by an id of one host, and the other way round. */
export const wrongId = (scope: Scope, isInFleet: boolean, what: string): ErrorObject => {
  const other = scope === 'host' ? 'fleet' : 'host'
  const hint = isInFleet
    ? `Ids of ?scope=host and of ?scope=fleet differ. Resume with ?scope=${other}, or leave the header out to receive only new events.`
    : 'Leave the header out to receive only new events.'
  return failure('INVALID_QUERY', `The header Last-Event-ID must be the id of ${what}.`, { hint })
}

/** The streams of the fleet if they are what is asked for, or why they cannot be. */
export const fleetScope = (
  scope: Scope | undefined,
  streams: FleetStreams | undefined,
): { ok: true; streams: FleetStreams | undefined } | { ok: false; error: ErrorObject } => {
  if (scope === 'host') return { ok: true, streams: undefined }
  if (streams || scope === undefined) return { ok: true, streams }
  const hint = 'Leave scope out, or start the server with svc serve --fleet.'
  return { ok: false, error: failure('INVALID_QUERY', 'scope=fleet: this server is in no fleet.', { hint }) }
}

export const unreachable = (error: unknown): ErrorObject =>
  failure('FLEET_UNREACHABLE', `The log of the fleet cannot be read: ${messageOf(error)}.`, {
    hint: 'Try again, or ask for ?scope=host.',
  })

/** While it was made ready, its client may have gone. */
export const hasGone = ({ destroyed, writableEnded }: ServerResponse): boolean => destroyed || writableEnded

/** A reader's position: an outcome, and whether its `svc:execution` was read too. */
export interface FleetPosition {
  position: number
  isWhole: boolean
}

/** `~` and what follows makes the ids of heartbeats unique; it says nothing about the position. */
const OUTCOME_ID = /^(\d+\.\d+)\.([01])(?:~[\w-]{1,64})?$/

export const readFleetPosition = (id: string): FleetPosition | undefined => {
  const [, text = '', part] = OUTCOME_ID.exec(id) ?? []
  const position = readLogPosition(text)
  return position === undefined ? undefined : { position, isWhole: part === '1' }
}

const idsAt =
  (position: number): OutcomeIds =>
  isWhole =>
    `${positionText(position)}.${isWhole ? 1 : 0}`

export interface FleetStreams {
  transitions: Hub
  /** Also tells what no journal would take, on this host. */
  outcomes: Hub
  /** Resolves when the streams can begin, or resume at `after`; rejects when the log of the fleet cannot be read. */
  ready(after?: number): Promise<void>
  /** Likewise for outcomes; then a reader can be added to them. */
  openOutcomes(
    from: FleetPosition | undefined,
  ): Promise<(outgoing: ServerResponse, onEnd: () => void) => ReturnType<Hub['subscribe']>>
}

/** A page of outcomes that holds this much is sent; the rest is the next page. */
const PAGE_BYTES = 1_024 * 1_024

/** Then the readers have their turn: for how long at least, and at most if one of them is far behind. */
const TOLD_AT_ONCE = 100
const TURN_MS = 1
const PATIENCE_MS = 1_000
/** Bounds the wait for the second event of an outcome. */
const REST_MS = 5_000

const gapEntry = (position: number, gap: GapData, id: string): Entry => {
  const chunk = Buffer.from(frame(id, EVENT_NAMES.gap, JSON.stringify(gap)))
  return { seq: position, actor: '', machine: '', isForAll: true, chunk, events: 1 }
}

const transitionEntry = ({ position, transition, gap }: LogEntry): Entry => {
  const id = positionText(position)
  if (gap) return gapEntry(position, gap, id)
  if (!transition || !isActor(transition)) return { seq: position, actor: '', machine: '', events: 0 }
  const { actor, machine, host } = transition
  const chunk = Buffer.from(frame(id, EVENT_NAMES.transition, JSON.stringify(transition)))
  return { seq: position, actor, machine, host, chunk, events: 1 }
}

export const createFleetStreams = ({ clock, note }: Pick<Parts, 'clock' | 'note'>, log: SharedLog): FleetStreams => {
  const textOf = async ({ transition, outcome }: LogEntry, signal: AbortSignal): Promise<OutcomeText | undefined> => {
    const text = transition && outcome && (await log.outcome(outcome, signal))
    if (!text) return undefined
    const { deviceId, input, result } = text
    return { deviceId, input, result: readResultText(result), host: transition.host }
  }

  const outcomeEntry = async (entry: LogEntry, signal: AbortSignal): Promise<Entry> => {
    const { position, gap } = entry
    if (gap) return gapEntry(position, gap, idsAt(position)(true))
    const text = await textOf(entry, signal)
    const frames = text ? outcomeFrames(idsAt(position), text) : { events: 0 }
    return { seq: position, actor: '', machine: '', ...frames }
  }

  type ToEntry = (entry: LogEntry, signal: AbortSignal) => Entry | Promise<Entry>

  /** One after the other, and no more than a page holds. */
  const pageOf = async (position: number, toEntry: ToEntry, signal: AbortSignal): Promise<Page> => {
    const { entries, upTo } = await log.after(position, signal)
    const made: Entry[] = []
    let bytes = 0
    for (const entry of entries) {
      if (bytes > PAGE_BYTES) return { entries: made, upTo: made.at(-1)?.seq ?? position }
      const next = await toEntry(entry, signal)
      made.push(next)
      bytes += next.chunk?.length ?? 0
    }
    return { entries: made, upTo }
  }

  /** A host that was away tells much at once: readers that take it as fast as they can are not ended for that. */
  const letReadersTake = async (hub: Hub): Promise<void> => {
    const latest = clock.elapsed() + PATIENCE_MS
    do await pause(clock, TURN_MS)
    while (hub.behind() > SSE_QUEUE_EVENTS / 2 && clock.elapsed() < latest)
  }

  const hubOf = (toEntry: ToEntry): Hub => {
    const startWatching = () => {
      const ended = new AbortController()
      let sentCount = 0
      const leave = log.follow(async entries => {
        for (const entry of entries) {
          if (ended.signal.aborted) return
          hub.publish(await toEntry(entry, ended.signal))
          sentCount += 1
          if (sentCount % TOLD_AT_ONCE === 0) await letReadersTake(hub)
        }
      })
      return () => {
        ended.abort()
        leave()
      }
    }
    const after = (position: number, _: object, signal: AbortSignal) => pageOf(position, toEntry, signal)
    const hub = createHub({ clock, note, source: { head: log.position, after, startWatching } })
    return hub
  }

  const transitions = hubOf(transitionEntry)
  const outcomes = hubOf(outcomeEntry)

  /** The second event of an outcome of which a reader had only the first. */
  const restOf = async ({ position, isWhole }: FleetPosition): Promise<string> => {
    if (isWhole) return ''
    const late = new AbortController()
    const timer = clock.at(clock.now() + REST_MS, () => late.abort())
    try {
      const [entry] = (await log.after(position - 1, late.signal)).entries
      const text = entry?.position === position ? await textOf(entry, late.signal) : undefined
      if (late.signal.aborted) throw new Error('no server of the fleet answers')
      return text ? executionFrame(idsAt(position), text) : ''
    } finally {
      timer.cancel()
    }
  }

  return {
    transitions,
    outcomes,
    ready: log.ready,
    async openOutcomes(from) {
      await log.ready(from?.position)
      const rest = from ? await restOf(from) : ''
      return (outgoing, onEnd) => {
        const { position, isWhole } = from ?? { position: log.position(), isWhole: true }
        const opening = heartbeatFrame(idsAt(position)(isWhole)) + rest
        return outcomes.subscribe({ outgoing, after: position, opening, onEnd })
      }
    },
  }
}
