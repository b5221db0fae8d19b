/** How a run is to be judged by what its child did, from the table of the contract: written anew, and without the product. */
import type { ChildFacts } from './children.ts'
import { EXPECTED, type RunAsk } from './plan.ts'

const BAD: readonly string[] = ['malformed', 'twice', 'source']

export const outcomeOf = (
  { skillId, expectContains }: Pick<RunAsk, 'skillId' | 'expectContains'>,
  { process: { exit }, frames, printed }: ChildFacts,
): string => {
  const [frame] = frames
  const mustProve = skillId === 'sim.prove'
  if (frame !== undefined && BAD.includes(frame)) return 'failed SKILL_RESULT_PARSE_FAILED'
  if (exit?.exitCode !== 0) return 'failed SKILL_EXECUTION_FAILED'
  if (mustProve && frame === 'failed') return 'failed SKILL_EXECUTION_FAILED'
  if (mustProve && frame !== 'success') return 'indeterminate SKILL_VERIFICATION_INDETERMINATE'
  if (expectContains !== undefined && !printed.includes(EXPECTED)) return 'failed SKILL_OUTPUT_ASSERTION_FAILED'
  return 'success'
}
