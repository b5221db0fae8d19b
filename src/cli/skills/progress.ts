/** How far a long piece of work has come, for a person: a line now and then. */
import type { Call } from '../command.ts'

/** Between two lines. */
const EVERY_MS = 1_000

export const progressLines = ({ io, clock }: Pick<Call, 'io' | 'clock'>, what: string) => {
  let next = Number.NEGATIVE_INFINITY
  return (done: number, total: number): void => {
    if (clock.elapsed() < next && done < total) return
    next = clock.elapsed() + EVERY_MS
    io.note(`${done} of ${total} ${what}`)
  }
}
