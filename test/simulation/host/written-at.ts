/** When each record came to a simulated disk, in virtual ms: the clocks of hosts are set, and their times then say nothing. */

export interface WrittenTimes {
  /** All records up to this position are there. */
  upTo(head: number): void
  /** The records after this position are lost. */
  cutTo(head: number): void
  at(seq: number): number | undefined
}

export const writtenTimes = (now: () => number): WrittenTimes => {
  /** By position: those of lost records are used again. */
  const times: number[] = []
  return {
    upTo(head) {
      while (times.length < head) times.push(now())
    },
    cutTo(head) {
      times.length = Math.min(times.length, head)
    },
    at: seq => times[seq - 1],
  }
}
