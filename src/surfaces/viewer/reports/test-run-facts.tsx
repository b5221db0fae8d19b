/** The facts of a test run in one line, and the attempts of a flow as tabs. */
import { tookMs } from '../../../contracts/flows/test-outcome.ts'
import type { FlowAttempt, TestRun } from '../../../contracts/flows/test-run.ts'
import { dateTime, duration } from '../format.ts'
import { CopyableId } from '../parts.tsx'
import { Fact } from '../traces/trace-facts.tsx'
import { countsText, VerdictBadge } from './test-marks.tsx'

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
