/** One flow of a test run: its attempts, and the commands of the chosen one with links to what they executed. */

import { useMemo, useState } from 'preact/hooks'
import type { TraceResponse } from '../../../contracts/doors/viewer.ts'
import { attemptError, tookMs } from '../../../contracts/flows/test-outcome.ts'
import type { FlowAttempt, FlowCommandResult, TestFlow } from '../../../contracts/flows/test-run.ts'
import { encoded, useAnswer } from '../api.ts'
import { FrameScreen } from '../devices/frame-screen.tsx'
import { filmOf } from '../devices/frames.ts'
import { duration, shortId } from '../format.ts'
import { Badge } from '../marks.tsx'
import { hrefOf } from '../route.ts'
import { Fact } from '../traces/trace-facts.tsx'
import { AttemptFacts, CommandList, FlowProblem, firstOfInterest, placeText } from './test-attempt.tsx'
import { AttemptTabs, FlowBadge, verdictTone } from './test-marks.tsx'

const NAME = 'The screen at the failure'

/** The screen at the failure of an attempt, as the runner of its flow recorded it. */
const FailureScreen = ({ executionId }: { executionId: string }) => {
  const { answer, problem } = useAnswer<TraceResponse>(`/executions/${encoded(executionId)}/trace`)
  const frame = useMemo(
    () => filmOf(answer?.trace.executions ?? [], false).frames.find(({ neighbour }) => !neighbour),
    [answer],
  )
  return (
    <section class="card failure-screen" aria-label={NAME}>
      <h2>
        <a href={hrefOf('executions', executionId)}>{NAME}</a>
      </h2>
      {frame && <FrameScreen frame={frame} label={NAME} />}
      {problem && <p class="muted">It cannot be shown: {problem.message}</p>}
      {answer && !frame && <p class="muted">Its picture and its text are not there any more.</p>}
    </section>
  )
}

const CommandDetails = ({ command, attempt }: { command: FlowCommandResult; attempt: FlowAttempt }) => {
  const { text, verdict, name, error, executionIds, endedAt, files = [] } = command
  const attemptProblem = attemptError(attempt)
  return (
    <section class="card command-details" aria-label={text}>
      <h2>
        {text} <Badge text={verdict} tone={verdictTone(verdict)} />
      </h2>
      <dl class="facts">
        <Fact name="command">{name}</Fact>
        <Fact name="at">{placeText(command)}</Fact>
        <Fact name="took">{endedAt === undefined ? '…' : duration(tookMs(command))}</Fact>
        {files.length > 0 && <Fact name="files">{files.join(', ')}</Fact>}
      </dl>
      {error && !(attemptProblem?.code === error.code && attemptProblem.message === error.message) && (
        <FlowProblem error={error} />
      )}
      {executionIds.length === 0 && <p class="muted">This command used no phone.</p>}
      {executionIds.length > 0 && (
        <ul class="command-executions" aria-label="Executions">
          {executionIds.map((id, index) => (
            <li key={id}>
              <a href={hrefOf('executions', id)} title={id}>
                {executionIds.length === 1 ? 'Steps and screens' : `Execution ${index + 1}: steps and screens`}
              </a>{' '}
              <span class="mono muted">{shortId(id)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The newest command while the attempt goes on, else the one that did not pass. */
const commandAt = ({ endedAt }: FlowAttempt, commands: readonly FlowCommandResult[], picked: number | undefined) =>
  picked ?? (endedAt === undefined ? commands.length - 1 : firstOfInterest(commands))

const AttemptView = ({ attempt }: { attempt: FlowAttempt }) => {
  const [picked, pick] = useState<number | undefined>(undefined)
  const { commands = [], files = [], failureExecutionId } = attempt
  const chosen = commandAt(attempt, commands, picked)
  const command = commands[chosen]
  return (
    <>
      <AttemptFacts attempt={attempt}>{files.length > 0 && <Fact name="files">{files.join(', ')}</Fact>}</AttemptFacts>
      {failureExecutionId !== undefined && <FailureScreen key={failureExecutionId} executionId={failureExecutionId} />}
      {!command && <p class="muted">No command has been performed yet.</p>}
      {command && (
        <div class="flow-layout">
          <CommandList commands={commands} chosen={chosen} onChoose={pick} />
          <CommandDetails command={command} attempt={attempt} />
        </div>
      )}
    </>
  )
}

export interface FlowPageProps {
  flow: TestFlow
  /** From 1; the last one without it. */
  attempt: number | undefined
  isOver: boolean
  hrefOf(attempt: number): string
}

export const FlowPage = ({ flow, attempt, isOver, hrefOf: attemptHref }: FlowPageProps) => {
  const { attempts, name, tags, reason } = flow
  const number = Math.max(1, Math.min(attempt ?? attempts.length, attempts.length))
  const chosen = attempts[number - 1]
  const unjudged = isOver ? 'interrupted' : 'running'
  return (
    <article class="detail" aria-label={name}>
      <header class="detail-head">
        <h1>{name}</h1>
        <FlowBadge flow={flow} unjudged={unjudged} />
        <span class="muted">{[flow.flow, ...tags.map(tag => `#${tag}`)].join(' ')}</span>
      </header>
      {reason !== undefined && <p class="note">{reason}</p>}
      <AttemptTabs attempts={attempts} chosen={number} hrefOf={attemptHref} unjudged={unjudged} />
      {chosen && <AttemptView key={chosen.flowRunId} attempt={chosen} />}
      {!chosen && <p class="muted">{isOver ? 'The flow did not begin.' : 'The flow waits for a phone.'}</p>}
    </article>
  )
}
