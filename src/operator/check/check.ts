/** One rule of the operator protocol as a check, and the ways in which it ends. */
import type { CheckBench } from './bench.ts'

export interface Check {
  /** In kebab-case; the same for ever, so that results can be compared. */
  id: string
  /** The rule as one sentence, for the documentation. */
  rule: string
  /** How the check asks the operator app for it. */
  asks: string
  /** Says what came; throws a Breach or a LeftOut. */
  run(bench: CheckBench): Promise<string>
}

/** The operator app broke the rule: what came instead, and what its author is to do. */
export class Breach extends Error {
  constructor(came: string, remedy: string) {
    super(`${came} ${remedy}`)
    this.name = 'Breach'
  }
}

/** The check cannot be made on this phone, which proves nothing of the operator app. */
export class LeftOut extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'LeftOut'
  }
}

/** Clips texts that a phone sent. */
const QUOTED_CHARS = 200

export const quoted = (text: string): string =>
  JSON.stringify(text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}...` : text)
