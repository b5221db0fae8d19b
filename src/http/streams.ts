/** The responses of one server that have no end of their own. */

export interface OpenStreams {
  /** `end` is called when the server closes, at once if it does so already; the returned function forgets it. */
  add(end: () => void): () => void
  close(): void
}

export const openStreams = (): OpenStreams => {
  const ends = new Set<() => void>()
  let closed = false
  return {
    add(end) {
      if (closed) end()
      else ends.add(end)
      return () => void ends.delete(end)
    },
    close() {
      closed = true
      for (const end of [...ends]) end()
      ends.clear()
    },
  }
}
