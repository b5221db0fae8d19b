/** Random choices that a seed repeats (mulberry32). */

export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number
  /** Both ends included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly [T, ...T[]]): T
  shuffle<T>(list: readonly T[]): T[]
}

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: probability => next() < probability,
    pick: from => from[int(0, from.length - 1)] ?? from[0],
    shuffle: list =>
      list
        .map(value => ({ value, place: next() }))
        .sort((a, b) => a.place - b.place)
        .map(({ value }) => value),
  }
}

/** One stream for each trial, so that one trial can be repeated without those before it. */
export const randomOf = (seed: number, trial: number): Random => createRandom(Math.imul(seed, 0x9e3779b1) ^ trial)
