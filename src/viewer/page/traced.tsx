/** The trace of one execution or skill run from the server, read again while it goes on, and its export as a file. */
import { useEffect, useState } from 'preact/hooks'
import type { Trace, TraceResponse } from '../../contracts/viewer.ts'
import { type ApiProblem, download, get, problemIn } from './api.ts'
import { onTransition } from './live.ts'
import { batched } from './time.ts'
import { TraceView } from './trace-view.tsx'

const REFRESH_MS = 400

export const Traced = ({ path, name }: { path: string; name: string }) => {
  const [trace, setTrace] = useState<Trace | undefined>(undefined)
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined)
  useEffect(() => {
    const left = new AbortController()
    let current: Trace | undefined
    const read = () =>
      void get<TraceResponse>(`${path}/trace`, left.signal).then(
        ({ trace: found }) => {
          current = found
          setTrace(found)
        },
        error => {
          if (!left.signal.aborted) setProblem(problemIn(error))
        },
      )
    const soon = batched(REFRESH_MS, () => !left.signal.aborted && read())
    // An execution that is over stays what it was; a run goes on through the executions of its device.
    const isOver = () =>
      current?.kind === 'execution' && current.executions.every(({ settledAt }) => settledAt !== undefined)
    const leave = onTransition(({ actor: moved, machine }) => {
      const isOurs = moved === current?.actor || (current?.kind === 'skill-run' && machine === 'device')
      if (isOurs && !isOver()) soon()
    })
    read()
    return () => {
      leave()
      left.abort()
    }
  }, [path])
  if (problem) return <p class="problem empty">{problem.message}</p>
  if (!trace) return <p class="empty muted">Reading…</p>
  return (
    <>
      <div class="actions-row">
        <button
          type="button"
          onClick={() => void download(`${path}/trace.html`, name).catch(error => setProblem(problemIn(error)))}
        >
          Export as HTML
        </button>
      </div>
      <TraceView trace={trace} isLinked={true} />
    </>
  )
}
