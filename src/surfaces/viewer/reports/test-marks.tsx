/**
 * Marks and facts of test runs: how a run, a flow, an attempt and a command ended, how many flows ended in which way,
 * and the attempts of a flow as tabs.
 */

import { countOutcomes, isFlaky, tookMs } from '../../../contracts/flows/test-outcome.ts'
import type { FlowAttempt, FlowCommandResult, TestFlow, TestRun, Verdict } from '../../../contracts/flows/test-run.ts'
import { dateTime, duration } from '../format.ts'
import { Badge } from '../marks.tsx'
import type { Tone } from '../names.ts'
import { CopyableId } from '../parts.tsx'
import { Fact } from '../traces/trace-facts.tsx'

export const RunFacts = ({ run }: { run: TestRun }) => {
  const phones = new Set(run.flows.flatMap(({ attempts }) => attempts.map(({ deviceId }) => deviceId)))
  return (
    <dl class="facts">
      <Fact name="flows">{countsText(run)}</Fact>
      <Fact name="took">{run.endedAt === undefined ? '…' : duration(tookMs(run))}</Fact>
      <Fact name="started">{dateTime(run.startedAt)}</Fact>
      {phones.size > 0 && <Fact name={phones.size === 1 ? 'phone' : 'phones'}>{[...phones].join(', ')}</Fact>}
      {run.host !== undefined && <Fact name="host">{run.host}</Fact>}
      <Fact name="run">
        <CopyableId id={run.testRunId} />
      </Fact>
    </dl>
  )
}

interface AttemptTabsProps {
  attempts: readonly FlowAttempt[]
  /** From 1. */
  chosen: number
  hrefOf(attempt: number): string
  unjudged: string
}

/** Nothing where there is no choice. */
export const AttemptTabs = ({ attempts, chosen, hrefOf, unjudged }: AttemptTabsProps) =>
  attempts.length < 2 ? null : (
    <nav class="tabs attempts" aria-label="Attempts">
      {attempts.map(({ flowRunId, attempt, verdict }, index) => (
        <a key={flowRunId} href={hrefOf(index + 1)} aria-current={index + 1 === chosen ? 'true' : undefined}>
          Attempt {attempt} <VerdictBadge verdict={verdict} unjudged={unjudged} />
        </a>
      ))}
    </nav>
  )

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
