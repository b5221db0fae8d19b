/** The history of one actor: its records, and the machine's snapshot at each of them, folded by the runtime's own code. */
import { signal } from '@preact/signals'
import type { AnyMachineSnapshot } from 'xstate'
import { CATALOGUE, type MachineName } from '../../../../machines/catalogue.ts'
import type { Definition } from '../../../../machines/definition.ts'
import type { ActorRecordsResponse, FoldStart } from '../../../contracts/doors/viewer.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { type FoldedActor, foldedFrom, foldRecords, NOTHING_FOLDED } from '../../../runtime/fold.ts'
import { encoded, get } from '../api.ts'
import { elapsed, nextTask } from '../time.ts'

/** A snapshot is kept every this many records, so any other one is at most that many steps away. */
const CHECKPOINT_EVERY = 100
/** The number of recent snapshots that are kept: their neighbours are looked at next. */
const RECENT_MAX = 16
/** How often the progress of folding is shown. */
const PROGRESS_MS = 150
/** The page folds for this long at once, and lets the person scroll in between. */
const SLICE_MS = 8

const definitionOf = (machine: string): Definition | undefined =>
  Object.hasOwn(CATALOGUE, machine) ? CATALOGUE[machine as MachineName] : undefined

export const createHistory = (actor: string, machine: string) => {
  const definition = definitionOf(machine)
  const records: JournalRecord[] = []
  const checkpoints = new Map<number, FoldedActor>()
  const recent = new Map<number, FoldedActor>()
  /** How many records there are: the array is always the same one. */
  const size = signal(0)
  /** How many records are folded, as far as the page has been told. */
  const foldedCount = signal(0)
  const isLoading = signal(false)
  let next = 0
  let latest: FoldedActor | undefined
  let isFolding = false
  const showProgress = () => {
    foldedCount.value = next
  }

  const begin = (start: FoldStart | undefined) => {
    const [first] = records
    if (!first || !definition || latest) return
    if (first.n === 0) latest = NOTHING_FOLDED
    // The beginning is gone, so a snapshot of an older version is taken, too: the runtime does the same.
    if (first.n === 0 || !start) return
    next = Math.max(0, start.n - first.n)
    latest = foldedFrom(definition, start)
    checkpoints.set(next - 1, latest)
  }

  const fold = async () => {
    if (isFolding || !definition || !latest) return
    isFolding = true
    let shownAt = elapsed()
    while (next < records.length) {
      const until = elapsed() + SLICE_MS
      while (next < records.length && elapsed() < until) {
        latest = foldRecords(definition, records.slice(next, next + 1), latest)
        if (next % CHECKPOINT_EVERY === 0) checkpoints.set(next, latest)
        next += 1
      }
      if (elapsed() - shownAt > PROGRESS_MS) {
        shownAt = elapsed()
        showProgress()
      }
      await nextTask()
    }
    isFolding = false
    showProgress()
  }

  return {
    actor,
    machine,
    records: records as readonly JournalRecord[],
    size,
    folded: foldedCount,
    isLoading,
    /** Undefined while it is not folded yet, and where retention has taken what came before. */
    snapshotAt(index: number): AnyMachineSnapshot | undefined {
      if (!definition || index < 0 || index >= next) return undefined
      if (index === next - 1) return latest?.snapshot
      let from = index
      while (from >= 0 && !checkpoints.has(from) && !recent.has(from)) from -= 1
      const base = recent.get(from) ?? checkpoints.get(from)
      if (!base && (records[0]?.n ?? 1) > 0) return undefined
      const folded = foldRecords(definition, records.slice(from + 1, index + 1), base)
      if (recent.size >= RECENT_MAX) recent.clear()
      recent.set(index, folded)
      return folded.snapshot
    },
    /** The index of the newest record that is not newer than `seq`; -1 if all are. */
    indexOf(seq: number) {
      let low = 0
      let high = records.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((records[middle]?.seq ?? 0) <= seq) low = middle + 1
        else high = middle
      }
      return low - 1
    },
    add(more: readonly JournalRecord[], start?: FoldStart) {
      const after = records.at(-1)?.seq ?? 0
      for (const record of more) if (record.seq > after) records.push(record)
      size.value = records.length
      begin(start)
      void fold()
    },
  }
}

export type History = ReturnType<typeof createHistory>

/** The history of an actor of the server, page by page, and what comes from now on. */
export const openHistory = (actor: string, machine: string) => {
  const history = createHistory(actor, machine)
  const left = new AbortController()
  let isReading = false
  let isStale = false

  const readAll = async () => {
    for (;;) {
      const after = history.records.at(-1)?.seq ?? 0
      const path = `/actors/${encoded(actor)}/records?after=${after}`
      const { records, start, next } = await get<ActorRecordsResponse>(path, left.signal)
      history.add(records, start)
      if (next === undefined) return
      await nextTask()
    }
  }

  const refresh = async () => {
    isStale = true
    if (isReading) return
    isReading = true
    history.isLoading.value = true
    try {
      while (isStale && !left.signal.aborted) {
        isStale = false
        await readAll()
      }
    } catch {
      // The next transition, or the next connection, asks again.
    }
    isReading = false
    history.isLoading.value = false
  }
  void refresh()
  return {
    ...history,
    /** Reads what has been recorded meanwhile. */
    refresh: () => void refresh(),
    close: () => left.abort(),
  }
}

export type LiveHistory = ReturnType<typeof openHistory>
