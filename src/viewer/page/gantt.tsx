/** When what happened: a bar for each execution, and in it one for each segment that was sent. */
import type { Trace, TraceExecution } from '../../contracts/viewer.ts'
import { duration } from './format.ts'

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
