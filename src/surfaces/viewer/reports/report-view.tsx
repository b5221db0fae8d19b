/** A test run from a file: its flows, and each attempt with the text of its flow beside its commands and screens. */
import { useEffect, useState } from 'preact/hooks'
import { attemptError } from '../../../contracts/flows/test-outcome.ts'
import type { TestReport } from '../../../contracts/flows/test-report.ts'
import type { FlowAttempt, TestFlow } from '../../../contracts/flows/test-run.ts'
import { CommandStage } from './report-command.tsx'
import { ReportFiles, sourceOf } from './report-files.tsx'
import { Source } from './report-source.tsx'
import { AttemptFacts, CommandList, FlowProblem, firstOfInterest } from './test-attempt.tsx'
import { FlowTable } from './test-flows.tsx'
import { AttemptTabs, FlowBadge, RunFacts, VerdictBadge } from './test-marks.tsx'

/** The place in the report that the address names, each part from 1. */
interface Place {
  flow?: number | undefined
  attempt?: number | undefined
  command?: number | undefined
}

const readPlace = (hash: string): Place => {
  const [flow, attempt, command] = hash
    .replace(/^#\/?/, '')
    .split('/')
    .map(part => (/^\d{1,6}$/.test(part) ? Number(part) : undefined))
  return { flow, attempt, command }
}

const hrefOf = (...parts: readonly number[]) => `#/${parts.join('/')}`

const usePlace = (): Place => {
  const [place, setPlace] = useState(readPlace(location.hash))
  useEffect(() => {
    const follow = () => setPlace(readPlace(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return place
}

interface AttemptViewProps {
  report: TestReport
  attempt: FlowAttempt
  command: number | undefined
  onChoose(index: number): void
}

const AttemptView = ({ report, attempt, command, onChoose }: AttemptViewProps) => {
  const { commands = [], files = [] } = attempt
  const at = Math.min(command ?? firstOfInterest(commands), commands.length - 1)
  const chosen = commands[at]
  const error = attemptError(attempt)
  const file = chosen?.file ?? error?.file
  const text = file === undefined ? undefined : sourceOf(report, file)
  return (
    <>
      <AttemptFacts attempt={attempt} />
      <ReportFiles report={report} paths={files} name="Files of the attempt" />
      <div class="report-layout">
        <div class="report-side">
          {file !== undefined && text !== undefined && (
            <Source
              file={file}
              text={text}
              commands={commands}
              at={chosen?.line}
              failedAt={error?.file === file ? error.line : undefined}
              onChoose={onChoose}
            />
          )}
          {commands.length > 0 && <CommandList commands={commands} chosen={at} onChoose={onChoose} />}
        </div>
        {chosen ? (
          <CommandStage key={at} report={report} command={chosen} said={error} />
        ) : (
          <p class="muted">No command was performed.</p>
        )}
      </div>
    </>
  )
}

interface FlowViewProps {
  report: TestReport
  flow: TestFlow
  place: Place & { flow: number }
}

const FlowView = ({ report, flow, place }: FlowViewProps) => {
  const { attempts } = flow
  const number = Math.max(1, Math.min(place.attempt ?? attempts.length, attempts.length))
  const attempt = attempts[number - 1]
  return (
    <main class="page trace">
      <a class="back" href="#/">
        ‹ All flows
      </a>
      <header class="detail-head">
        <h1>{flow.name}</h1>
        <FlowBadge flow={flow} unjudged="interrupted" />
        <span class="muted">{[flow.flow, ...flow.tags.map(tag => `#${tag}`)].join(' ')}</span>
      </header>
      {flow.reason !== undefined && <p class="note">{flow.reason}</p>}
      <AttemptTabs
        attempts={attempts}
        chosen={number}
        hrefOf={attempt => hrefOf(place.flow, attempt)}
        unjudged="interrupted"
      />
      {!attempt && <p class="muted">The flow did not begin.</p>}
      {attempt && (
        <AttemptView
          key={number}
          report={report}
          attempt={attempt}
          command={place.command === undefined ? undefined : place.command - 1}
          onChoose={index => {
            location.hash = hrefOf(place.flow, number, index + 1)
          }}
        />
      )}
    </main>
  )
}

export const ReportView = ({ report }: { report: TestReport }) => {
  const { run, omitted } = report
  const place = usePlace()
  const flow = place.flow === undefined ? undefined : run.flows[place.flow - 1]
  if (flow && place.flow !== undefined)
    return <FlowView key={place.flow} report={report} flow={flow} place={{ ...place, flow: place.flow }} />
  return (
    <main class="page trace">
      <header class="detail-head">
        <h1>Test run</h1>
        <VerdictBadge verdict={run.verdict} unjudged={run.state} />
      </header>
      <RunFacts run={run} />
      {run.error && <FlowProblem error={run.error} />}
      {omitted.length > 0 && (
        <details class="note">
          <summary>Left out of this file: {omitted.length}</summary>
          <ul>
            {omitted.map(sentence => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
      <FlowTable run={run} hrefOf={index => hrefOf(index + 1)} />
    </main>
  )
}
