/** The facts of an execution or a skill run in one line, and the answer of a run. */
import type { TraceExecution, TraceRun } from '../../../contracts/doors/viewer.ts'
import { decidedBy } from '../../../contracts/executions/told-by.ts'
import { dateTime, duration, shortId } from '../format.ts'
import { JsonView } from '../json-view.tsx'
import { Badge, Mark } from '../marks.tsx'
import { toneOf } from '../names.ts'
import { CopyableId, ProblemCard } from '../parts.tsx'
import { hrefOf, type Section } from '../route.ts'

export const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const took = (from: number, to: number | undefined) => (to === undefined ? '…' : duration(Math.max(0, to - from)))

interface LinkProps {
  isLinked: boolean
  section: Section
  id: string
  text?: string
}

const Linked = ({ isLinked, section, id, text = id }: LinkProps) =>
  isLinked ? <a href={hrefOf(section, id)}>{text}</a> : <span>{text}</span>

export const ExecutionFacts = ({ execution, isLinked }: { execution: TraceExecution; isLinked: boolean }) => {
  const { executionId, commandId, deviceId, operatorPackage, skillRunId, resumes } = execution
  const { acceptedAt, dispatchedAt, settledAt, timeoutMs, state, evidence } = execution
  const decided = decidedBy(execution, dateTime)
  return (
    <dl class="facts">
      <Fact name="device">
        <Linked isLinked={isLinked} section="devices" id={deviceId} />
      </Fact>
      <Fact name="took">
        {state === 'interrupted'
          ? `interrupted, found after ${took(acceptedAt, settledAt)}`
          : took(acceptedAt, settledAt)}
        <span class="muted">
          {dispatchedAt === undefined ? ', never sent' : `, sent after ${took(acceptedAt, dispatchedAt)}`}
          {timeoutMs === undefined ? '' : `, limit ${duration(timeoutMs)}`}
        </span>
      </Fact>
      <Fact name="accepted">{dateTime(acceptedAt)}</Fact>
      {decided !== undefined && <Fact name="became known later">{`${evidence?.outcome}: ${decided}`}</Fact>}
      {operatorPackage !== undefined && <Fact name="operator">{operatorPackage}</Fact>}
      {skillRunId !== undefined && (
        <Fact name="skill run">
          <Linked isLinked={isLinked} section="skill-runs" id={skillRunId} text={shortId(skillRunId)} />
        </Fact>
      )}
      {resumes !== undefined && (
        <Fact name="goes on with">
          <Linked isLinked={isLinked} section="executions" id={resumes} text={shortId(resumes)} />
        </Fact>
      )}
      <Fact name="id">
        <CopyableId id={executionId} />
      </Fact>
      <Fact name="command">{shortId(commandId)}</Fact>
    </dl>
  )
}

interface SkillResultShape {
  status?: unknown
  result?: { kind?: unknown; text?: unknown; value?: unknown } | null
  checkpoints?: readonly { id?: unknown; status?: unknown; note?: unknown }[] | null
  terminalVerification?: { status?: unknown; note?: unknown } | null
  diagnostics?: { warnings?: readonly unknown[]; hints?: readonly unknown[] } | null
}

const asShape = (value: unknown): SkillResultShape | undefined =>
  typeof value === 'object' && value !== null ? (value as SkillResultShape) : undefined

const AnswerValue = ({ result }: { result: NonNullable<SkillResultShape['result']> }) => {
  if (result.kind === 'text' && typeof result.text === 'string') return <p class="answer-text">{result.text}</p>
  return <JsonView value={result.kind === 'json' ? result.value : result} />
}

const Answer = ({ skillResult }: { skillResult: unknown }) => {
  const shape = asShape(skillResult)
  const checkpoints = Array.isArray(shape?.checkpoints) ? shape.checkpoints : []
  const verified = shape?.terminalVerification
  return (
    <section class="card answer" aria-labelledby="answer-heading">
      <h2 id="answer-heading">
        Answer {typeof shape?.status === 'string' && <Badge text={shape.status} />}
        {typeof verified?.status === 'string' && verified.status !== 'not_run' && (
          <Badge
            text={verified.status === 'verified' ? 'verified' : `verification ${verified.status}`}
            tone={verified.status === 'verified' ? 'good' : 'bad'}
          />
        )}
      </h2>
      {shape?.result && <AnswerValue result={shape.result} />}
      {!shape?.result && <p class="muted">The skill ended without a value.</p>}
      {checkpoints.length > 0 && (
        <ul class="checkpoints" aria-label="Checkpoints">
          {checkpoints.map(({ id, status, note }, index) => (
            <li key={index}>
              <Mark tone={toneOf(String(status))} alone /> {String(id)}
              <span class="muted"> {[status, note].filter(Boolean).map(String).join(', ')}</span>
            </li>
          ))}
        </ul>
      )}
      {[...(shape?.diagnostics?.warnings ?? []), ...(shape?.diagnostics?.hints ?? [])].map(String).map(text => (
        <p key={text} class="hint">
          {text}
        </p>
      ))}
      <details>
        <summary>Whole result</summary>
        <JsonView value={skillResult} />
      </details>
    </section>
  )
}

const OUTPUTS = [
  ['Output', 'stdout'],
  ['Errors', 'stderr'],
] as const

export const RunAnswer = ({ run }: { run: TraceRun }) => (
  <>
    {run.message !== undefined && (
      <ProblemCard problem={{ code: run.code ?? run.state, message: run.message }} role="note" />
    )}
    {run.skillResult !== undefined && <Answer skillResult={run.skillResult} />}
    {OUTPUTS.map(([name, key]) => {
      const text = run[key]
      return text ? (
        // Without an answer, what the skill printed is all that it said.
        <details class="card" key={name} open={run.skillResult === undefined}>
          <summary>{name}</summary>
          <pre class="output">{text}</pre>
        </details>
      ) : null
    })}
  </>
)

export const RunFacts = ({ run, isLinked }: { run: TraceRun; isLinked: boolean }) => (
  <dl class="facts">
    {run.deviceId !== undefined && (
      <Fact name="device">
        <Linked isLinked={isLinked} section="devices" id={run.deviceId} />
      </Fact>
    )}
    <Fact name="took">{took(run.startedAt, run.endedAt)}</Fact>
    <Fact name="started">{dateTime(run.startedAt)}</Fact>
    {run.exitCode !== undefined && <Fact name="exit code">{String(run.exitCode)}</Fact>}
    {run.argv.length > 0 && <Fact name="arguments">{run.argv.join(' ')}</Fact>}
    <Fact name="run">
      <CopyableId id={run.runId} />
    </Fact>
  </dl>
)
