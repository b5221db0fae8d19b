/** What a child of a simulated run does: a script of the plan, in the place of a program. Plain JSON. */

export type Frame = 'success' | 'failed' | 'unproved' | 'malformed' | 'twice' | 'source'

export type Step =
  | { do: 'print'; text: string; to?: 'stderr' }
  | { do: 'frame'; frame: Frame }
  | { do: 'flood'; kilobytes: number }
  | { do: 'wait'; ms: number }
  /** Has a row of a phone tapped by a process of its host, as `svc` does that a script starts. */
  | { do: 'tap'; command: string; process: number; isKeyed?: boolean; again?: boolean }
  /** Starts a process for so long: one that stays in its group, or has left it. */
  | { do: 'fork'; isAway: boolean; holdsOutput: boolean; onTerm: OnTerm; ms: number }
  | { do: 'hang' }
  | { do: 'exit'; code: number }

/** When it is asked to end: it does, it does not, or only after a second. */
export type OnTerm = 'ends' | 'ignores' | 'late'

export interface Script {
  steps: readonly Step[]
  onTerm: OnTerm
  /** The system does not start it. */
  isUnstartable?: boolean
}

export const LATE_MS = 1_000
