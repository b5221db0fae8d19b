/** The newest entries of a stream, kept for readers that are a little behind: bounded by number and by bytes. */
import { SSE_QUEUE_EVENTS } from '../../../contracts/limits/limits.ts'

export interface Filter {
  actor?: string | undefined
  machine?: string | undefined
}

/** One step of a stream: what it is about, and its events as they go over the wire. */
export interface Entry {
  seq: number
  actor: string
  machine: string
  /** In a fleet: whose actor it is. `<actor>@<host>` means the one of that host alone. */
  host?: string
  /** True for an entry that every reader gets, whatever it filters. */
  isForAll?: boolean
  /** None for a step that is only passed by. */
  chunk?: Buffer
  /** How many events the chunk holds. */
  events: number
}

/** Some entries, and the position up to which there are no others. */
export interface Page {
  entries: Iterable<Entry>
  upTo: number
}

export interface Source {
  /** The newest position. */
  head(): number
  /**
   * Entries after a position, oldest first, made one by one, until there is none for now. May throw. Where they have to be
   * fetched: the next page of them, which is made when there is one; `signal` is aborted when nobody waits for it any more.
   */
  after(seq: number, filter: Filter, signal: AbortSignal): Iterator<Entry> | Promise<Page>
  /** Called when the first subscriber comes; what it returns is called when the last one has gone. */
  startWatching?(): () => void
}

const BYTES_MAX = 8 * 1_024 * 1_024

export const createRing = () => {
  let entries: Entry[] = []
  let bytes = 0
  /** Everything after this position is here. */
  let from = 0

  const sizeOf = ({ chunk }: Entry) => chunk?.length ?? 0

  return {
    push(entry: Entry) {
      entries.push(entry)
      bytes += sizeOf(entry)
      while (entries.length > SSE_QUEUE_EVENTS || bytes > BYTES_MAX) {
        const oldest = entries.shift()
        if (!oldest) break
        bytes -= sizeOf(oldest)
        from = oldest.seq
      }
    },
    /** Undefined when what comes after this position is no longer all here. */
    after(seq: number): Iterator<Entry> | undefined {
      if (seq < from) return undefined
      const first = entries.findIndex(entry => entry.seq > seq)
      return first < 0 ? [][Symbol.iterator]() : entries.slice(first)[Symbol.iterator]()
    },
    clear(position: number) {
      entries = []
      bytes = 0
      from = position
    },
  }
}
