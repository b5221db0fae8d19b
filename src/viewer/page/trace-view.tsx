/** A trace from a server or from a file: facts, what went wrong, when what happened, each step, and every record. */
import { useMemo, useState } from 'preact/hooks'
import type { Trace, TraceExecution, TraceRun } from '../../contracts/viewer.ts'
import { Badge } from './badge.tsx'
import { createHistory } from './folded-history.ts'
import { dateTime, duration, shortId } from './format.ts'
import { Gantt } from './gantt.tsx'
import { JsonView } from './json-view.tsx'
import { hrefOf } from './route.ts'
import { Steps } from './steps.tsx'
import { Timeline } from './timeline.tsx'

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const took = (from: number, to: number | undefined) => (to === undefined ? '…' : duration(Math.max(0, to - from)))

const Problem = ({ error }: { error: NonNullable<TraceExecution['error']> }) => (
  <div class="problem-card" role="note">
    <p>
      <b class="mono">{error.code}</b> {error.message}
    </p>
    {error.hint !== undefined && <p class="hint">Hint: {error.hint}</p>}
    {error.details !== undefined && <JsonView value={error.details} />}
  </div>
)

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
    {run.message !== undefined && <Problem error={{ code: run.code ?? run.state, message: run.message }} />}
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
      {!run && only?.error && <Problem error={only.error} />}
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
