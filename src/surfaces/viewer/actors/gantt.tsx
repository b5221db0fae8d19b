/** When what happened: a bar for each execution with its segments, and the waiting before them. */

import type { Trace, TraceExecution } from '../../../contracts/doors/viewer.ts'
import { duration } from '../format.ts'
import { executionTitle } from '../names.ts'

interface Bar {
  from: number
  to: number
  kind: string
  label: string
  segment?: number
  /** No record says when it ended. */
  isOpen?: boolean
}

/** Segments by when they left; steps of one segment are one bar. */
const segmentsOf = ({ timeline, settledAt }: TraceExecution, end: number): readonly Bar[] => {
  const isOver = settledAt !== undefined
  const bars = new Map<number, Bar>()
  for (const step of timeline) {
    const { segment, startedAt, endedAt, state } = step
    if (segment === undefined || startedAt === undefined) continue
    const before = bars.get(segment)
    const isBad = state === 'failed' || state === 'unknown'
    const isOpen = before?.isOpen === true || (endedAt === undefined && isOver)
    bars.set(segment, {
      from: startedAt,
      to: Math.max(before?.to ?? startedAt, endedAt ?? (isOver ? startedAt : end)),
      isOpen,
      kind: isBad || before?.kind === 'bad' ? 'bad' : 'good',
      label: before ? `${before.label}, ${step.title}` : step.title,
      segment,
    })
  }
  return [...bars.values()]
}

const tookOf = ({ from, to, isOpen }: Bar): string => (isOpen ? 'its end is not on record' : duration(to - from))

const percent = (part: number, whole: number) => `${Math.max(0, Math.min(100, (part / whole) * 100)).toFixed(3)}%`

const barsOf = (execution: TraceExecution, end: number): readonly Bar[] => {
  const { acceptedAt, dispatchedAt, settledAt = end } = execution
  const waited = { from: acceptedAt, to: dispatchedAt ?? settledAt, kind: 'wait', label: 'Accepted, nothing sent yet' }
  return [waited, ...segmentsOf(execution, settledAt)]
}

export interface GanttProps {
  trace: Trace
  /** The execution and the segment of the chosen step. */
  chosen: { executionId: string; segment: number | undefined } | undefined
}

export const Gantt = ({ trace: { executions, run, records }, chosen }: GanttProps) => {
  const times = executions.flatMap(({ acceptedAt, settledAt }) => [acceptedAt, settledAt ?? acceptedAt])
  const from = Math.min(run?.startedAt ?? Number.POSITIVE_INFINITY, ...times)
  const to = Math.max(run?.endedAt ?? 0, ...times, records.at(-1)?.at ?? 0)
  const span = to - from
  if (!Number.isFinite(from) || span <= 0) return null
  const isAlone = executions.length === 1 && !run
  const isChosen = ({ executionId }: TraceExecution, { segment }: Bar) =>
    segment !== undefined && chosen?.executionId === executionId && chosen.segment === segment
  return (
    <div class={`gantt ${isAlone ? 'alone' : ''}`}>
      {executions.map(execution => (
        <div class="gantt-row" key={execution.executionId}>
          {!isAlone && (
            <span class="gantt-name" title={executionTitle(execution)}>
              {executionTitle(execution)}
            </span>
          )}
          <div class="gantt-track">
            {barsOf(execution, to).map(bar => (
              <span
                key={`${bar.from} ${bar.kind} ${bar.label}`}
                class={`bar ${bar.kind} ${isChosen(execution, bar) ? 'chosen' : ''}`}
                role="img"
                aria-label={`${bar.label}: ${tookOf(bar)}, ${duration(bar.from - from)} after the start`}
                title={`${bar.label}: ${tookOf(bar)}`}
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
    </div>
  )
}
