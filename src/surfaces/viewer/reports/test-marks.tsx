/** Marks of test runs: how a run, a flow, an attempt and a command ended, and how many flows ended in which way. */
import { countOutcomes, isFlaky } from '../../../contracts/flows/test-outcome.ts'
import type { FlowCommandResult, TestFlow, TestRun, Verdict } from '../../../contracts/flows/test-run.ts'
import { Badge } from '../marks.tsx'
import type { Tone } from '../names.ts'

const TONES: Readonly<Record<Verdict | FlowCommandResult['verdict'], Tone>> = {
  passed: 'good',
  failed: 'bad',
  indeterminate: 'doubt',
  skipped: 'calm',
  ignored: 'calm',
  cancelled: 'wait',
  running: 'busy',
}

export const verdictTone = (verdict: keyof typeof TONES): Tone => TONES[verdict]

/** Without a verdict it goes on, or was left in the middle. */
export const VerdictBadge = ({ verdict, unjudged = 'running' }: { verdict: Verdict | null; unjudged?: string }) =>
  verdict === null ? (
    <Badge text={unjudged} tone={unjudged === 'interrupted' ? 'doubt' : 'busy'} />
  ) : (
    <Badge text={verdict} tone={TONES[verdict]} />
  )

export const FlowBadge = ({ flow, unjudged }: { flow: TestFlow; unjudged: string }) => {
  if (isFlaky(flow)) return <Badge text="passed, flaky" tone="good" title="It passed after an attempt that did not." />
  return <VerdictBadge verdict={flow.verdict} unjudged={flow.attempts.length === 0 ? 'waiting' : unjudged} />
}

const COUNTED = ['failed', 'indeterminate', 'cancelled', 'passed', 'flaky', 'skipped', 'unfinished'] as const

/** `2 failed, 14 passed, 1 flaky of 17 flows` */
export const countsText = (run: Pick<TestRun, 'flows'>): string => {
  const counts = countOutcomes(run)
  const parts = COUNTED.filter(name => counts[name] > 0).map(name => `${counts[name]} ${name}`)
  const flows = `${run.flows.length} ${run.flows.length === 1 ? 'flow' : 'flows'}`
  return parts.length === 0 ? flows : `${parts.join(', ')} of ${flows}`
}
