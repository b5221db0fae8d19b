/** Keeps one actor's records and the machine's snapshot at each of them, folded by the runtime's own code. */
import type { AnyMachineSnapshot } from 'xstate'
import { CATALOGUE, type MachineName } from '../../../machines/catalogue.ts'
import type { Definition } from '../../../machines/definition.ts'
import type { JournalRecord } from '../../contracts/journal.ts'
import type { FoldStart } from '../../contracts/viewer.ts'
import { type Folded, foldRecords, restore } from '../../runtime/fold.ts'
import { createStore, type Store } from './store.ts'
import { breathe, elapsed } from './time.ts'

/** A snapshot is kept after so many records: any other one is that many steps away at most. */
const KEEP_EVERY = 100
/** The number of recent snapshots that are kept: their neighbours are looked at next. */
const RECENT_MAX = 16
/** Nobody reads how far it has come more often than this. */
const TELL_MS = 150
/** The page folds for so long and then lets the person scroll. */
const SLICE_MS = 8

export interface History {
  readonly actor: string
  readonly machine: string
  readonly records: readonly JournalRecord[]
  /** Changes when records were added, or were folded. */
  readonly changed: Store<number>
  /** Undefined while it is not folded yet, and where retention has taken what came before. */
  snapshotAt(index: number): AnyMachineSnapshot | undefined
  /** How many records are folded. */
  folded(): number
  isLoading(): boolean
  /** The index of the newest record that is not newer than `seq`; -1 if all are. */
  indexOf(seq: number): number
  add(records: readonly JournalRecord[], start?: FoldStart): void
}

const definitionOf = (machine: string): Definition | undefined =>
  Object.hasOwn(CATALOGUE, machine) ? CATALOGUE[machine as MachineName] : undefined

export const createHistory = (actor: string, machine: string): History & { setLoading(on: boolean): void } => {
  const definition = definitionOf(machine)
  const records: JournalRecord[] = []
  const kept = new Map<number, Folded>()
  const recent = new Map<number, Folded>()
  const changed = createStore(0)
  let next = 0
  let latest: Folded | undefined
  let isFolding = false
  let isLoading = false
  const tell = () => changed.set(changed.get() + 1)

  const begin = (start: FoldStart | undefined) => {
    const [first] = records
    if (!first || !definition || latest) return
    if (first.n === 0) latest = { snapshot: undefined, n: 0, seq: 0, tail: 0 }
    if (first.n === 0 || !start || start.version !== definition.version) return
    next = Math.max(0, start.n - first.n)
    latest = { snapshot: restore(definition, start), n: start.n, seq: start.seq, tail: 0 }
    kept.set(next - 1, latest)
  }

  const fold = async () => {
    if (isFolding || !definition || !latest) return
    isFolding = true
    let told = elapsed()
    while (next < records.length) {
      const until = elapsed() + SLICE_MS
      while (next < records.length && elapsed() < until) {
        latest = foldRecords(definition, records.slice(next, next + 1), latest)
        if (next % KEEP_EVERY === 0) kept.set(next, latest)
        next += 1
      }
      if (elapsed() - told > TELL_MS) {
        told = elapsed()
        tell()
      }
      await breathe()
    }
    isFolding = false
    tell()
  }

  return {
    actor,
    machine,
    records,
    changed,
    snapshotAt(index) {
      if (!definition || index < 0 || index >= next) return undefined
      if (index === next - 1) return latest?.snapshot
      let from = index
      while (from >= 0 && !kept.has(from) && !recent.has(from)) from -= 1
      const base = recent.get(from) ?? kept.get(from)
      if (!base && (records[0]?.n ?? 1) > 0) return undefined
      const folded = foldRecords(definition, records.slice(from + 1, index + 1), base)
      if (recent.size >= RECENT_MAX) recent.clear()
      recent.set(index, folded)
      return folded.snapshot
    },
    folded: () => next,
    isLoading: () => isLoading,
    setLoading(on) {
      isLoading = on
      tell()
    },
    indexOf(seq) {
      let low = 0
      let high = records.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((records[middle]?.seq ?? 0) <= seq) low = middle + 1
        else high = middle
      }
      return low - 1
    },
    add(more, start) {
      const after = records.at(-1)?.seq ?? 0
      for (const record of more) if (record.seq > after) records.push(record)
      begin(start)
      tell()
      void fold()
    },
  }
}
