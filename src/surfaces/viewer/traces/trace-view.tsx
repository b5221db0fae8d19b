/** A trace from a server or from a file: what it was and how it ended, when what happened, each step, and every record. */
import { useMemo, useState } from 'preact/hooks'
import type { Trace, TraceExecution, TraceRun } from '../../../contracts/doors/viewer.ts'
import { Gantt } from '../actors/gantt.tsx'
import { createHistory } from '../actors/history.ts'
import { filmOf, firstOfInterest } from '../devices/frames.ts'
import { RecordedParts } from '../devices/video.tsx'
import { FilmStrip } from '../executions/step-list.tsx'
import { Steps } from '../executions/steps.tsx'
import { shortId } from '../format.ts'
import { Badge } from '../marks.tsx'
import { executionTitle, type Judged, standingOf, toneOf } from '../names.ts'
import { ProblemCard } from '../parts.tsx'
import { Timeline } from './timeline.tsx'
import { ExecutionFacts, RunAnswer, RunFacts } from './trace-facts.tsx'

const runStanding = ({ code, state }: TraceRun): Judged => ({ tone: toneOf(code ?? state), word: code ?? state })

/** Names before ids: what it did, and on which device. */
export const traceTitle = ({ run, executions: [only], id }: Trace): string => {
  const name = run ? run.skillId || shortId(run.runId) : only ? executionTitle(only) : shortId(id)
  const device = run ? run.deviceId : only?.deviceId
  return device === undefined ? name : `${name} on ${device}`
}

/** A step that failed says the same beside its screens. */
const saysMore = ({ error, timeline }: TraceExecution): boolean =>
  error !== undefined && !timeline.some(step => step.error?.code === error.code && step.error.message === error.message)

export interface TraceViewProps {
  trace: Trace
  /** In the page of a server, whose other views can be linked to. */
  isLinked: boolean
  /** The step that the address names, from 1, and how it is told another one. A file has no address for its steps. */
  step?: number | undefined
  onStep?: ((step: number) => void) | undefined
}

export const TraceView = ({ trace, isLinked, step, onStep }: TraceViewProps) => {
  const { run, executions } = trace
  const isRun = run !== undefined
  const history = useMemo(() => {
    const made = createHistory(trace.actor, trace.machine)
    made.add(trace.records, trace.start)
    return made
  }, [trace])
  const film = useMemo(() => filmOf(executions, isRun), [executions, isRun])
  const [seq, seek] = useState<number | undefined>(undefined)
  const [picked, pick] = useState<number | undefined>(undefined)
  const named = onStep ? step : picked
  const wanted = named === undefined ? firstOfInterest(film.steps) : named - 1
  const chosen = Math.min(Math.max(0, wanted), Math.max(0, film.steps.length - 1))
  const choose = (position: number) => (onStep ?? pick)(position + 1)
  const [only] = executions
  const standing = run ? runStanding(run) : only && standingOf(only)
  const view = film.steps[chosen]
  const at = view && { executionId: view.execution.executionId, segment: view.step.segment }
  return (
    <article class="detail trace" aria-label={traceTitle(trace)}>
      <header class="detail-head">
        <h1>{traceTitle(trace)}</h1>
        {standing && <Badge text={standing.word} tone={standing.tone} />}
      </header>
      {run && <RunFacts run={run} isLinked={isLinked} />}
      {run && <RunAnswer run={run} />}
      {!run && only && <ExecutionFacts execution={only} isLinked={isLinked} />}
      {!run && only?.error && saysMore(only) && <ProblemCard problem={only.error} role="note" />}
      <RecordedParts parts={run?.recorded ?? only?.recorded ?? []} isLinked={isLinked} />
      {trace.omitted?.map(sentence => (
        <p key={sentence} class="note">
          {sentence}
        </p>
      ))}
      <section class="card film-card" aria-label="Timeline and film">
        <Gantt trace={trace} chosen={at} />
        <FilmStrip film={film} chosen={chosen} onChoose={choose} />
      </section>
      <Steps
        film={film}
        chosen={chosen}
        onChoose={choose}
        isLinked={isLinked}
        isRun={isRun}
        isWaiting={!isRun && only?.state === 'waiting'}
      />
      {trace.records.length > 0 && (
        <section aria-label="Records">
          <h2>Records of {trace.actor}</h2>
          <Timeline history={history} seq={seq} onSeek={seek} hasBodies={false} />
        </section>
      )}
    </article>
  )
}
