/** The context of every step of a run: the screen, the time, and when it must end. */
import type { ParamsOf } from '../../contracts/actions/card.ts'
import type { ActionType } from '../../contracts/executions/action.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { UiDriver } from './driver.ts'
import type { MatchPattern } from './patterns/pattern.ts'

export interface StepContext {
  driver: UiDriver
  clock: Clock
  signal: AbortSignal
  matchPattern: MatchPattern
  /** From 0 to below 1. */
  random: () => number
  /** When the time of the execution is over, in epoch ms; waits and retries end by then. */
  deadline: number
}

/** Resolves to the data of a successful step; throws StepFailure for a failed one. */
export type Step<T extends ActionType> = (params: ParamsOf[T], context: StepContext) => Promise<Record<string, string>>
