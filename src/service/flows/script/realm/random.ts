/** Random numbers that are the same whenever an evaluation is repeated. */

export interface Random {
  seed(state: readonly [number, number, number, number]): void
  /** At least 0 and below 1. */
  next(): number
}

const UINT32 = 2 ** 32

/** The generator sfc32. */
export const createRandom = (): Random => {
  let [a, b, c, counter] = [0, 0, 0, 1]
  return {
    seed(state) {
      ;[a, b, c, counter] = state
    },
    next() {
      const sum = (a + b + counter) | 0
      counter = (counter + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (c << 21) | (c >>> 11)
      c = (c + sum) | 0
      return (sum >>> 0) / UINT32
    },
  }
}
