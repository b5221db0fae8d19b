/** Runs actions as a caller writes them, parsed by the contract, on a fake screen and a manual clock. */
import * as v from 'valibot'
import { Action, type ActionInput } from '../../../src/contracts/executions/action.ts'
import { type RunOptions, runSteps, type StepsOutcome } from '../../../src/device/screen/run.ts'
import { runOut } from '../../support/cli/run-out.ts'
import { type FakeDriver, type FakeUi, fakeDriver } from '../../support/device/fake-ui-driver.ts'
import { type ManualClock, manualClock } from '../../support/manual-clock.ts'

export interface Acted extends StepsOutcome {
  driver: FakeDriver
  clock: ManualClock
  /** Since the start. */
  elapsedMs: number
  /** Of the last step. */
  data: Record<string, string>
}

type Input = ActionInput extends infer A ? (A extends { id: string } ? Omit<A, 'id'> : never) : never

export interface Options extends Partial<Omit<RunOptions, 'driver' | 'clock'>> {
  ui?: Partial<FakeUi>
  /** Called with the clock before the run, to build a screen that changes with time. */
  uiAt?: (clock: ManualClock) => Partial<FakeUi>
}

/** Steps are named a, b, c in their order. */
export const act = async (inputs: Input | Input[], { ui = {}, uiAt, ...options }: Options = {}): Promise<Acted> => {
  const clock = manualClock()
  const driver = fakeDriver({ ...ui, ...uiAt?.(clock) })
  const actions = [inputs].flat().map((input, index) => v.parse(Action, { id: 'abcdefgh'[index], ...input }))
  const began = clock.now()
  const signal = new AbortController().signal
  const run = runSteps(actions, { driver, clock, signal, random: () => 0.5, ...options })
  const outcome = await runOut(run, clock)
  return { ...outcome, driver, clock, elapsedMs: clock.now() - began, data: outcome.stepResults.at(-1)?.data ?? {} }
}
