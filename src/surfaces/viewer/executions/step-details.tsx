/** The request of a step, its answer, and why it failed. */

import type { TraceStep } from '../../../contracts/doors/viewer.ts'
import { toldBy } from '../../../contracts/executions/told-by.ts'
import type { StepView } from '../devices/frames.ts'
import { dateTime, duration } from '../format.ts'
import { JsonView } from '../json-view.tsx'
import { Badge } from '../marks.tsx'
import { ProblemCard } from '../parts.tsx'

export const timeOf = ({ durationMs, startedAt, endedAt, segment }: TraceStep): string => {
  if (durationMs !== undefined) return duration(durationMs)
  if (startedAt === undefined || endedAt === undefined) return ''
  return `within ${duration(endedAt - startedAt)} (segment ${segment})`
}

const UNSAID: Readonly<Partial<Record<TraceStep['state'], string>>> = {
  unknown: 'It was sent and no answer came back. It may have acted: look at the screen before you repeat it.',
  'not-run': 'It did not run, because the execution ended before it.',
}

const isCompact = ({ type, data }: TraceStep) => type === 'snapshot' && data.format === 'compact'

export const StepDetails = ({ view: { step, number } }: { view: StepView }) => {
  const { type, params, state, data, error } = step
  const time = timeOf(step)
  const told = toldBy({ source: step.source, at: step.knownAt }, dateTime)
  const answered = Object.entries(data).filter(([key]) => !(isCompact(step) && key === 'text'))
  const hasParams = typeof params === 'object' && params !== null && Object.keys(params).length > 0
  return (
    <div class="step-details">
      <h3>
        <span class="muted">{number}</span> {step.title}
      </h3>
      <p class="step-facts">
        <Badge text={state} />
        <span class="mono muted">{type}</span>
        {time !== '' && <span class="muted">{time}</span>}
        {told !== undefined && <span class="muted">{told}</span>}
      </p>
      {error && <ProblemCard problem={error} role="note" />}
      {!error && UNSAID[state] !== undefined && <p class={state === 'unknown' ? 'note' : 'muted'}>{UNSAID[state]}</p>}
      {hasParams && (
        <>
          <h4>Asked</h4>
          <JsonView value={params} />
        </>
      )}
      {answered.length > 0 && (
        <>
          <h4>Answered</h4>
          <dl class="step-data">
            {answered.map(([key, value]) => (
              <div key={key}>
                <dt class="mono">{key}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </div>
  )
}
