/**
 * Buffers of bytes: one that collects pieces of any size, and one that reads a device's output ahead, up to a bound,
 * until somebody takes it.
 */

const FIRST_CAPACITY = 4_096

/** Takes memory in proportion to the bytes and not to the pieces. */
export const growingBuffer = () => {
  let held = Buffer.alloc(0)
  let size = 0
  return {
    size: () => size,
    append(bytes: Uint8Array) {
      if (bytes.length === 0) return
      if (size + bytes.length > held.length) {
        const grown = Buffer.alloc(Math.max(FIRST_CAPACITY, 2 * held.length, size + bytes.length))
        held.copy(grown, 0, 0, size)
        held = grown
      }
      held.set(bytes, size)
      size += bytes.length
    },
    /** Hands over what was collected, and begins with nothing again. */
    take() {
      const taken = held.subarray(0, size)
      held = Buffer.alloc(0)
      size = 0
      return taken
    },
  }
}

/** A device may close right behind its last bytes; the package then drops those that nobody has read yet. */
const BYTES_MAX = 1_024 * 1_024

interface ReadAhead extends AsyncIterable<Uint8Array> {
  /** Ends what is read, with what has come so far still to be taken. */
  end(error?: unknown): void
  /** Ends it and drops what was not taken. */
  close(): void
}

/** Starts to read at once. `read` gives undefined at the end. One reader only. */
export const readAhead = (read: () => Promise<Uint8Array | undefined>): ReadAhead => {
  let waiting: Uint8Array[] = []
  let bytes = 0
  let ended: { error?: unknown } | undefined
  let wake: () => void = () => {}
  let changed = Promise.resolve()
  const nextChange = () => {
    changed = new Promise(resolve => {
      wake = resolve
    })
  }
  nextChange()
  const change = () => {
    wake()
    nextChange()
  }
  const end = (error?: unknown) => {
    ended ??= error === undefined ? {} : { error }
    change()
  }

  const pump = async () => {
    while (!ended) {
      if (bytes >= BYTES_MAX) {
        await changed
        continue
      }
      const chunk = await read()
      if (chunk === undefined) return end()
      if (chunk.length === 0) continue
      waiting.push(chunk)
      bytes += chunk.length
      change()
    }
  }
  pump().catch(end)

  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    for (;;) {
      const chunk = waiting.shift()
      if (chunk) {
        bytes -= chunk.length
        change()
        return { done: false, value: chunk }
      }
      if (ended && 'error' in ended) throw ended.error
      if (ended) return { done: true, value: undefined }
      await changed
    }
  }
  const close = () => {
    waiting = []
    bytes = 0
    end()
  }
  return {
    end,
    close,
    // No `return`: who stops to iterate may go on later, and who is done says so with `close`.
    [Symbol.asyncIterator]: () => ({ next }),
  }
}
