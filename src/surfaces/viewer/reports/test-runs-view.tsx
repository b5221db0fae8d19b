/** Test runs as a table, and the one that was picked with its flows; both are read again while a run goes on. */
import { tookMs } from '../../../contracts/flows/test-outcome.ts'
import type { TestRun, TestRunResponse, TestRunsResponse } from '../../../contracts/flows/test-run.ts'
import { encoded, useAnswer } from '../api.ts'
import { dateTime, duration, shortId, shortTime } from '../format.ts'
import { onTransition } from '../live.ts'
import { Empty, open, ReadProblem } from '../parts.tsx'
import { hrefOf, route } from '../route.ts'
import { batched, now } from '../time.ts'
import { FlowProblem } from './test-attempt.tsx'
import { FlowPage } from './test-flow-page.tsx'
import { FlowTable } from './test-flows.tsx'
import { countsText, RunFacts, VerdictBadge } from './test-marks.tsx'

const REFRESH_MS = 400

const MACHINES = ['test-run', 'flow-run']

/** Reads again soon after a run moved, and after each new connection. */
const followRuns = (read: () => void): (() => void) => {
  const soon = batched(REFRESH_MS, read)
  return onTransition(moved => {
    if (!moved || MACHINES.includes(moved.machine)) soon()
  })
}

const TestRunRow = ({ run }: { run: TestRun }) => {
  const { testRunId, verdict, state, startedAt, endedAt, host } = run
  const href = hrefOf('test-runs', testRunId)
  return (
    <tr data-test-run={testRunId} onClick={open(href)}>
      <td class="cell-outcome">
        <VerdictBadge verdict={verdict} unjudged={state} />
      </td>
      <td class="cell-what">
        <a href={href}>{countsText(run)}</a>
      </td>
      <td data-label="on">{host}</td>
      <td data-label="took" class="number">
        {endedAt === undefined ? '…' : duration(tookMs(run))}
      </td>
      <td data-label="at" class="number muted" title={dateTime(startedAt)}>
        {shortTime(startedAt, now())}
      </td>
      <td data-label="run" class="mono muted" title={testRunId}>
        {shortId(testRunId)}
      </td>
    </tr>
  )
}

const COLUMNS = ['Verdict', 'Flows', 'Host', 'Took', 'Started', 'Run']
const NUMBERS = ['Took', 'Started']

const TestRuns = () => {
  const { answer, problem, retry } = useAnswer<TestRunsResponse>('/test-runs', followRuns)
  const runs = answer?.testRuns ?? []
  return (
    <main class="page">
      <h1>Test runs</h1>
      {problem && <ReadProblem problem={problem} onRetry={retry} />}
      {!answer && !problem && <p class="empty muted">Reading the test runs…</p>}
      {runs.length > 0 && (
        <div class="table-box">
          <table class="table stacked" aria-label="Test runs">
            <thead>
              <tr>
                {COLUMNS.map(name => (
                  <th key={name} scope="col" class={NUMBERS.includes(name) ? 'number' : undefined}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {runs.map(run => (
                <TestRunRow key={run.testRunId} run={run} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {answer && runs.length === 0 && (
        <Empty commands={['svc test flows/']}>No flow has been tested yet. Test those of a folder:</Empty>
      )}
    </main>
  )
}

const TestRunPage = ({ id }: { id: string }) => {
  const { flow: number, attempt } = route.value
  const { answer, problem, retry } = useAnswer<TestRunResponse>(`/test-runs/${encoded(id)}`, followRuns)
  const run = answer?.testRun
  const flow = number === undefined ? undefined : run?.flows[number - 1]
  return (
    <main class="page trace">
      {number === undefined ? (
        <a class="back" href={hrefOf('test-runs')}>
          ‹ All test runs
        </a>
      ) : (
        <a class="back" href={hrefOf('test-runs', id)}>
          ‹ All flows
        </a>
      )}
      {problem && <ReadProblem problem={problem} onRetry={problem.code.endsWith('_NOT_FOUND') ? undefined : retry} />}
      {!run && !problem && <p class="empty muted">Reading the test run…</p>}
      {run && number !== undefined && !flow && <p class="empty">The run has no flow {number}.</p>}
      {run && number !== undefined && flow && (
        <FlowPage
          key={number}
          flow={flow}
          attempt={attempt}
          isOver={run.state === 'ended' || run.state === 'interrupted'}
          hrefOf={chosen => hrefOf('test-runs', id, { flow: number, attempt: chosen })}
        />
      )}
      {run && number === undefined && (
        <>
          <header class="detail-head">
            <h1>Test run</h1>
            <VerdictBadge verdict={run.verdict} unjudged={run.state} />
          </header>
          <RunFacts run={run} />
          {run.error && <FlowProblem error={run.error} />}
          <FlowTable run={run} hrefOf={index => hrefOf('test-runs', id, { flow: index + 1 })} />
        </>
      )}
    </main>
  )
}

export const TestRunsView = () => {
  const { id } = route.value
  return id === undefined ? <TestRuns /> : <TestRunPage key={id} id={id} />
}
