/** The screen at the failure of an attempt, as the runner of its flow recorded it. */
import { useMemo } from 'preact/hooks'
import type { TraceResponse } from '../../contracts/doors/viewer.ts'
import { encoded, useAnswer } from './api.ts'
import { FrameScreen } from './devices/frame-screen.tsx'
import { filmOf } from './devices/frames.ts'
import { hrefOf } from './route.ts'

const NAME = 'The screen at the failure'

export const FailureScreen = ({ executionId }: { executionId: string }) => {
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
