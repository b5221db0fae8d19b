/** One attempt of a flow: its facts, why it did not pass, and its commands with their times. */
import { attemptError, tookMs } from '../../../contracts/flows/test-outcome.ts'
import type { FlowAttempt, FlowCommandResult, FlowError } from '../../../contracts/flows/test-run.ts'
import { dateTime, duration } from '../format.ts'
import { Mark } from '../marks.tsx'
import { CopyableId, ProblemCard } from '../parts.tsx'
import { Fact } from '../traces/trace-facts.tsx'
import { verdictTone } from './test-marks.tsx'

/** `flows/login.yaml:12` */
export const placeText = ({ file, line }: Pick<FlowError, 'file' | 'line'>): string | undefined =>
  file === undefined ? undefined : `${file}${line === undefined ? '' : `:${line}`}`

export const FlowProblem = ({ error }: { error: FlowError }) => {
  const { code, message, hint, details, command } = error
  const place = placeText(error)
  return (
    <div class="flow-problem">
      <ProblemCard
        problem={{ code, message, ...(hint === undefined ? {} : { hint }), ...(details ? { details } : {}) }}
        role="note"
      />
      {(place !== undefined || command !== undefined) && (
        <p class="test-why">
          {place !== undefined && <span class="muted">at {place} </span>}
          {command !== undefined && <code class="mono">{command}</code>}
        </p>
      )}
    </div>
  )
}

/** The command that a reader looks for first: the innermost that did not pass, else the first. */
export const firstOfInterest = (commands: readonly FlowCommandResult[]): number => {
  const unpassed = commands.filter(({ verdict }) => verdict === 'failed' || verdict === 'indeterminate')
  const depth = Math.max(...unpassed.map(command => command.depth))
  const found = unpassed.findLast(command => command.depth === depth)
  return found ? commands.indexOf(found) : 0
}

interface CommandListProps {
  commands: readonly FlowCommandResult[]
  chosen: number
  onChoose(index: number): void
}

const tookText = ({ endedAt, verdict, ...command }: FlowCommandResult): string => {
  if (verdict === 'skipped') return 'skipped'
  return endedAt === undefined ? '…' : duration(tookMs({ ...command, endedAt }))
}

/** Deeper levels are not indented further. */
const INDENTED_MAX = 8

export const CommandList = ({ commands, chosen, onChoose }: CommandListProps) => (
  <ol class="card step-list command-list" aria-label="Commands">
    {commands.map((command, index) => (
      <li key={index} class={`step ${command.verdict} ${index === chosen ? 'chosen' : ''}`}>
        <button type="button" aria-current={index === chosen ? 'step' : undefined} onClick={() => onChoose(index)}>
          <span class="step-number mono muted">{command.line}</span>
          <Mark tone={verdictTone(command.verdict)} alone />
          <span class={`step-words deep-${Math.min(INDENTED_MAX, command.depth)}`}>{command.text}</span>
          <span class="step-time muted">{tookText(command)}</span>
          {command.error && (
            <span class={`step-code mono ${command.verdict === 'ignored' ? 'muted' : ''}`}>
              {command.error.code}
              {command.verdict === 'ignored' ? ', ignored' : ''}
            </span>
          )}
        </button>
      </li>
    ))}
  </ol>
)

export const AttemptFacts = ({ attempt, children }: { attempt: FlowAttempt; children?: preact.ComponentChildren }) => (
  <>
    <dl class="facts">
      <Fact name="device">{attempt.deviceId}</Fact>
      <Fact name="took">{attempt.endedAt === undefined ? '…' : duration(tookMs(attempt))}</Fact>
      <Fact name="started">{dateTime(attempt.startedAt)}</Fact>
      <Fact name="flow run">
        <CopyableId id={attempt.flowRunId} />
      </Fact>
      {children}
    </dl>
    {attempt.verdict !== 'passed' && <AttemptProblem attempt={attempt} />}
    {attempt.warnings?.map(warning => (
      <p class="test-why" key={`${placeText(warning)}: ${warning.message}`}>
        <span class="muted">Warning at {placeText(warning)} </span>
        {warning.message}
      </p>
    ))}
    {attempt.log && (
      <details class="report-text">
        <summary>Log of the scripts</summary>
        <pre class="output">{attempt.log.map(line => `${placeText(line)}: ${line.text}\n`)}</pre>
      </details>
    )}
  </>
)

const AttemptProblem = ({ attempt }: { attempt: FlowAttempt }) => {
  const error = attemptError(attempt)
  return error ? <FlowProblem error={error} /> : null
}
