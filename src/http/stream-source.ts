/** What an event stream is made from: steps with positions, to be read back from any of them. */

export interface Filter {
  actor?: string | undefined
  machine?: string | undefined
}

/** One step of a stream: what it is about, and its events as they go over the wire. */
export interface Entry {
  seq: number
  actor: string
  machine: string
  /** None for a step that is only passed by. */
  chunk?: Buffer
  /** How many events the chunk holds. */
  events: number
}

export interface Source {
  /** The newest position. */
  head(): number
  /** Entries after a position, oldest first, made one by one, until there is none for now. May throw. */
  after(seq: number, filter: Filter): Iterator<Entry>
  /** Called when the first subscriber comes; what it returns is called when the last one has gone. */
  attend?(): () => void
}
