/** The page of one execution or skill run: its trace from the server, read again while it goes on, and its export as a file. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Trace, TraceResponse } from '../../../contracts/doors/viewer.ts'
import type { TransitionRecord } from '../../../contracts/records/actor.ts'
import { type ApiProblem, download, encoded, problemIn, useAnswer } from '../api.ts'
import { onTransition } from '../live.ts'
import { ProblemCard, ReadProblem } from '../parts.tsx'
import { hrefOf, replaceRoute, route } from '../route.ts'
import { batched } from '../time.ts'
import { TraceView, traceTitle } from './trace-view.tsx'

const REFRESH_MS = 400

/** An execution that is over stays what it was. */
const isOver = ({ kind, executions }: Trace) =>
  kind === 'execution' && executions.every(({ settledAt }) => settledAt !== undefined)

/** A skill run goes on through the executions of its device. */
const concerns = (trace: Trace, { actor, machine }: TransitionRecord) =>
  actor === trace.actor || (trace.kind === 'skill-run' && machine === 'device')

interface TracePageProps {
  section: 'executions' | 'skill-runs'
  id: string
}

const LiveTrace = ({ section, id }: TracePageProps) => {
  const path = `/${section}/${encoded(id)}`
  const name = `${section.slice(0, -1)}-${id}.html`
  const shownTrace = useRef<Trace | undefined>(undefined)
  const {
    answer,
    problem: readProblem,
    retry,
  } = useAnswer<TraceResponse>(`${path}/trace`, read => {
    const soon = batched(REFRESH_MS, read)
    return onTransition(moved => {
      const trace = shownTrace.current
      if (moved && trace && concerns(trace, moved) && !isOver(trace)) soon()
    })
  })
  const [exportProblem, setExportProblem] = useState<ApiProblem>()
  const trace = answer?.trace
  shownTrace.current = trace
  useEffect(() => {
    if (trace) document.title = `${traceTitle(trace)} · svc inspector`
  }, [trace])
  if (readProblem) {
    // An id that no receipt has will have none later either.
    const isGone = readProblem.code.endsWith('_NOT_FOUND')
    return <ReadProblem problem={readProblem} onRetry={isGone ? undefined : retry} />
  }
  if (!trace) return <p class="empty muted">Reading the trace…</p>
  return (
    <>
      {exportProblem && <ProblemCard problem={exportProblem} role="alert" />}
      <button
        class="export"
        type="button"
        onClick={() => void download(`${path}/trace.html`, name).catch(error => setExportProblem(problemIn(error)))}
      >
        Export as HTML
      </button>
      <TraceView
        trace={trace}
        isLinked={true}
        step={route.value.step}
        onStep={step => replaceRoute(section, id, { step })}
      />
    </>
  )
}

export const TracePage = ({ section, id }: TracePageProps) => (
  <main class="page">
    <a class="back" href={hrefOf(section)}>
      ‹ {section === 'executions' ? 'All executions' : 'All skill runs'}
    </a>
    <LiveTrace key={id} section={section} id={id} />
  </main>
)
