/** The scenario of what a recording saw, on which the actions of its recipes have run again. */
import type { Action } from '../../contracts/executions/action.ts'
import type { Clock } from '../../runtime/clock.ts'
import { parseScenario, type WrittenScenario } from '../scenario/scenario.ts'
import { scenarioFromSteps } from './from-recording.ts'
import { masker } from './moment-screens.ts'
import type { RecordedStep } from './recording-plan.ts'
import { tryScenario } from './try-scenario.ts'

interface Rehearsal {
  steps: readonly RecordedStep[]
  /** With the values of their parameters filled in. */
  actions: readonly Action[]
  /** Texts that must not be written. */
  secrets: readonly string[]
}

/** `step` is empty where none of them is the reason. */
type RehearsedScenario =
  | { ok: true; scenario: WrittenScenario; notes: readonly string[] }
  | { ok: false; step: string; problem: string }

export const rehearsedScenario = async (
  { steps, actions, secrets }: Rehearsal,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<RehearsedScenario> => {
  const generated = scenarioFromSteps(steps, secrets)
  if (!generated.ok) return generated
  const { scenario, notes } = generated
  const parsed = parseScenario(scenario)
  if (!parsed.ok) return { ok: false, step: '', problem: parsed.error }
  const failed = await tryScenario(parsed.scenario, actions, clock, signal)
  if (!failed) return { ok: true, scenario, notes }
  const problem = `the recipe does not run on the screens that were seen (${masker(secrets)(failed.problem)})`
  return { ok: false, step: failed.step, problem }
}
