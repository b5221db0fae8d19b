/** The records of all actors as they are written by any process, each with the state it has led to. */

import { CATALOGUE, type MachineName } from '../../../../machines/catalogue.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { hasChart } from '../../../contracts/records/machines.ts'
import { type FoldedActor, foldActor, foldRecords } from '../../../runtime/fold.ts'
import type { Journal, Subscription } from '../../../runtime/journal/journal.ts'
import { eachRecord } from '../../../runtime/transitions.ts'
import { actorMessage, eventMessage, snapshotMessage } from './messages.ts'

/** A map that forgets what was not written for the longest time. */
export const remember = <K, V>(map: Map<K, V>, key: K, value: V, max: number): void => {
  map.delete(key)
  map.set(key, value)
  if (map.size <= max) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

/** One record as clients are told of it: the first message is for those that do not know the actor. */
export interface FeedItem {
  actor: string
  seq: number
  introduction(): string
  messages: readonly string[]
}

export interface Listener {
  told(item: FeedItem): void
}

/** Snapshots kept for the next record of their actors; others are folded again. */
const KEPT_MAX = 1_000

export const createFeed = (journal: Journal) => {
  const listeners = new Set<Listener>()
  const kept = new Map<string, FoldedActor>()
  let subscription: Subscription | undefined

  const keep = (actor: string, folded: FoldedActor): FoldedActor => {
    if (folded.n > (kept.get(actor)?.n ?? 0)) remember(kept, actor, folded, KEPT_MAX)
    return folded
  }

  /** The state after a record, whatever came later. */
  const after = (record: JournalRecord): FoldedActor => {
    const { actor, machine, n } = record
    const definition = CATALOGUE[machine as MachineName]
    const before = kept.get(actor)
    if (before?.n === n + 1) return before
    if (before?.n === n) return keep(actor, foldRecords(definition, [record], before))
    return keep(actor, foldActor(definition, journal, actor, n + 1))
  }

  const tell = (record: JournalRecord) => {
    if (!hasChart(record)) return
    const { actor, seq } = record
    const { snapshot } = after(record)
    const changed = snapshotMessage(record, snapshot)
    const messages = [eventMessage(record), ...(changed === undefined ? [] : [changed])]
    const item: FeedItem = { actor, seq, introduction: () => actorMessage(record, snapshot), messages }
    for (const listener of [...listeners]) listener.told(item)
  }

  const stop = () => {
    subscription?.close()
    subscription = undefined
    kept.clear()
  }

  return {
    /** The returned function takes it back. Throws if the journal cannot be read. */
    listen(listener: Listener): () => void {
      subscription ??= journal.subscribe(eachRecord(tell))
      listeners.add(listener)
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop()
      }
    },
    /** An actor whose newest record this is, for somebody who does not know it. */
    introduction: (newest: JournalRecord): string => actorMessage(newest, after(newest).snapshot),
  }
}

export type Feed = ReturnType<typeof createFeed>
