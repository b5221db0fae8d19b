/** Computations too long for one turn of the event loop: they run in slices, and other work has its turn in between. */
import type { Clock } from './clock.ts'

/** Yields after each piece of work, so that its driver may pause there. */
export type Sliced<T> = Generator<undefined, T, undefined>

/** How many nodes, or things of that size, are one piece: a fraction of a millisecond. */
export const PIECE = 64
/** How long the event loop is held at a time. */
const SLICE_MS = 10

/** The result, after as many turns of the event loop as it takes. Rejects when the signal aborts in between. */
export const inSlices = async <T>(
  work: Sliced<T>,
  { clock, signal }: { clock: Pick<Clock, 'elapsed' | 'soon'>; signal?: AbortSignal | undefined },
): Promise<T> => {
  let begun = clock.elapsed()
  for (let piece = work.next(); ; piece = work.next()) {
    if (piece.done) return piece.value
    if (clock.elapsed() - begun < SLICE_MS) continue
    await new Promise<void>(resolve => clock.soon(resolve))
    signal?.throwIfAborted()
    begun = clock.elapsed()
  }
}

/** Runs sliced work in one go: in a thread of its own, or for small input. */
export const withoutPauses = <T>(work: Sliced<T>): T => {
  for (;;) {
    const piece = work.next()
    if (piece.done) return piece.value
  }
}
