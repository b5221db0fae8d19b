/** A trace from a server or from a file: facts, what went wrong, when what happened, each step, and every record. */
import { useMemo, useState } from 'preact/hooks'
import type { Trace, TraceExecution, TraceRun } from '../../contracts/viewer.ts'
import { dateTime, duration, shortId } from './format.ts'
import { createHistory } from './history.ts'
import { JsonView } from './json-view.tsx'
import { Badge, ProblemCard } from './parts.tsx'
import { hrefOf } from './route.ts'
import { Steps } from './steps.tsx'
import { Timeline } from './timeline.tsx'

interface Bar {
  from: number
  to: number
  kind: string
  label: string
}

/** Segments by when they left; steps of one segment are one bar. */
const segmentsOf = ({ timeline }: TraceExecution, end: number): readonly Bar[] => {
  const bars = new Map<number, Bar>()
  for (const { segment, startedAt, endedAt, type, state } of timeline) {
    if (segment === undefined || startedAt === undefined) continue
    const before = bars.get(segment)
    const isBad = state === 'failed' || state === 'unknown'
    bars.set(segment, {
      from: startedAt,
      to: endedAt ?? end,
      kind: isBad || before?.kind === 'bad' ? 'bad' : 'good',
      label: before ? `${before.label}, ${type}` : type,
    })
  }
  return [...bars.values()]
}

const percent = (part: number, whole: number) => `${Math.max(0, Math.min(100, (part / whole) * 100)).toFixed(3)}%`

const barsOf = (execution: TraceExecution, end: number): readonly Bar[] => {
  const { acceptedAt, dispatchedAt, settledAt = end } = execution
  const waited = { from: acceptedAt, to: dispatchedAt ?? settledAt, kind: 'wait', label: 'accepted, nothing sent yet' }
  return [waited, ...segmentsOf(execution, settledAt)]
}

export const Gantt = ({ trace: { executions, run, records } }: { trace: Trace }) => {
  const times = executions.flatMap(({ acceptedAt, settledAt }) => [acceptedAt, settledAt ?? acceptedAt])
  const from = Math.min(run?.startedAt ?? Number.POSITIVE_INFINITY, ...times)
  const to = Math.max(run?.endedAt ?? 0, ...times, records.at(-1)?.at ?? 0)
  const span = to - from
  if (!Number.isFinite(from) || span <= 0) return null
  return (
    <section class="card gantt" aria-label="When what happened">
      {executions.map(execution => (
        <div class="gantt-row" key={execution.executionId}>
          <span class="gantt-name mono">{execution.commandId}</span>
          <div class="gantt-track">
            {barsOf(execution, to).map(bar => (
              <span
                key={`${bar.from} ${bar.kind} ${bar.label}`}
                class={`bar ${bar.kind}`}
                role="img"
                aria-label={`${bar.label}: ${duration(bar.to - bar.from)}, ${duration(bar.from - from)} after the start`}
                title={`${bar.label}: ${duration(bar.to - bar.from)}`}
                style={{ left: percent(bar.from - from, span), width: percent(bar.to - bar.from, span) }}
              />
            ))}
          </div>
        </div>
      ))}
      <div class="gantt-scale muted" aria-hidden="true">
        <span>0</span>
        <span>{duration(span / 2)}</span>
        <span>{duration(span)}</span>
      </div>
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const took = (from: number, to: number | undefined) => (to === undefined ? '…' : duration(Math.max(0, to - from)))

const ExecutionFacts = ({ execution, isLinked }: { execution: TraceExecution; isLinked: boolean }) => {
  const { deviceId, operatorPackage, skillRunId, acceptedAt, dispatchedAt, settledAt, timeoutMs } = execution
  return (
    <dl class="facts">
      <Fact name="device">{isLinked ? <a href={hrefOf('devices', deviceId)}>{deviceId}</a> : deviceId}</Fact>
      <Fact name="command">{execution.commandId}</Fact>
      {operatorPackage !== undefined && <Fact name="operator">{operatorPackage}</Fact>}
      {skillRunId !== undefined && (
        <Fact name="skill run">
          {isLinked ? <a href={hrefOf('skill-runs', skillRunId)}>{shortId(skillRunId)}</a> : skillRunId}
        </Fact>
      )}
      <Fact name="accepted">{dateTime(acceptedAt)}</Fact>
      <Fact name="sent">{dispatchedAt === undefined ? 'never' : `after ${took(acceptedAt, dispatchedAt)}`}</Fact>
      <Fact name="took">{took(acceptedAt, settledAt)}</Fact>
      {timeoutMs !== undefined && <Fact name="timeout">{duration(timeoutMs)}</Fact>}
    </dl>
  )
}

const RunFacts = ({ run }: { run: TraceRun }) => (
  <>
    <dl class="facts">
      <Fact name="skill">{run.skillId}</Fact>
      {run.deviceId !== undefined && <Fact name="device">{run.deviceId}</Fact>}
      <Fact name="started">{dateTime(run.startedAt)}</Fact>
      <Fact name="took">{took(run.startedAt, run.endedAt)}</Fact>
      {run.exitCode !== undefined && <Fact name="exit code">{String(run.exitCode)}</Fact>}
      {run.argv.length > 0 && <Fact name="arguments">{run.argv.join(' ')}</Fact>}
    </dl>
    {run.message !== undefined && (
      <ProblemCard problem={{ code: run.code ?? run.state, message: run.message }} role="note" />
    )}
    {run.skillResult !== undefined && (
      <details class="card" open>
        <summary>Result</summary>
        <JsonView value={run.skillResult} />
      </details>
    )}
    {[
      ['Output', run.stdout],
      ['Errors', run.stderr],
    ].map(([name, text]) =>
      text ? (
        <details class="card" key={name}>
          <summary>{name}</summary>
          <pre class="output">{text}</pre>
        </details>
      ) : null,
    )}
  </>
)

export interface TraceViewProps {
  trace: Trace
  /** In the page of a server, whose other views can be linked to. */
  isLinked: boolean
}

export const TraceView = ({ trace, isLinked }: TraceViewProps) => {
  const history = useMemo(() => {
    const made = createHistory(trace.actor, trace.machine)
    made.add(trace.records, trace.start)
    return made
  }, [trace])
  const [seq, seek] = useState<number | undefined>(undefined)
  const { run, executions } = trace
  const [only] = executions
  return (
    <article class="detail trace" aria-label={trace.id}>
      <header class="detail-head">
        <h1>{run ? run.skillId || shortId(run.runId) : shortId(trace.id)}</h1>
        <span class="chip">{run ? 'skill run' : 'execution'}</span>
        {run && <Badge text={run.code ?? run.state} />}
        {!run && only && <Badge text={only.code ?? only.state} />}
        <span class="muted mono grow id">{trace.id}</span>
      </header>
      {run && <RunFacts run={run} />}
      {!run && only && <ExecutionFacts execution={only} isLinked={isLinked} />}
      {!run && only?.error && <ProblemCard problem={only.error} role="note" />}
      {trace.omitted?.map(sentence => (
        <p key={sentence} class="note">
          {sentence}
        </p>
      ))}
      <Gantt trace={trace} />
      <Steps executions={executions} isLinked={isLinked} isRun={run !== undefined} />
      {trace.records.length > 0 && (
        <section aria-label="Records">
          <h2>Records of {trace.actor}</h2>
          <Timeline history={history} seq={seq} onSeek={seek} hasBodies={false} />
        </section>
      )}
    </article>
  )
}
