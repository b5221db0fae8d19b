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
