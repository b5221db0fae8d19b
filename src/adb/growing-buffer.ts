/** Collects bytes that come in pieces of any size, in memory proportional to the bytes and not to the pieces. */

const FIRST_CAPACITY = 4_096

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
