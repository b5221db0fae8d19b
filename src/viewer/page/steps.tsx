/** Step by step: what was asked, how it went, how long it took, and the screens before and after where they were recorded. */
import { useMemo, useState } from 'preact/hooks'
import { LOOKING_TYPES } from '../../contracts/step-answers.ts'
import type { TraceExecution, TraceScreen, TraceStep } from '../../contracts/viewer.ts'
import { duration } from './format.ts'
import { Badge } from './parts.tsx'
import { hrefOf } from './route.ts'
import { Screen, treeOf } from './screen.tsx'

/** Looking changes nothing: a screen stays what it is over such steps. */
const lookingTypes = new Set<string>(LOOKING_TYPES)

/** The nearest recorded screen on one side of a step, with no step in between that may have changed it. */
const nearestScreen = (steps: readonly TraceStep[], from: number, direction: 1 | -1): TraceScreen | undefined => {
  for (let at = from + direction; at >= 0 && at < steps.length; at += direction) {
    const step = steps[at]
    if (step?.screen) return step.screen
    if (step && !lookingTypes.has(step.type)) return undefined
  }
  return undefined
}

const paramsText = (params: unknown): string => {
  if (typeof params !== 'object' || params === null) return ''
  return Object.entries(params)
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ')
}

const StepScreen = ({ screen, name }: { screen: TraceScreen | undefined; name: string }) => {
  const tree = useMemo(() => treeOf(screen?.xml), [screen?.xml])
  return (
    <div class="shot">
      <span class="muted">{name}</span>
      {screen ? (
        <Screen screen={screen} tree={tree} label={`Screen ${name}`} />
      ) : (
        <p class="muted none">not recorded</p>
      )}
    </div>
  )
}

interface StepProps {
  step: TraceStep
  steps: readonly TraceStep[]
  at: number
  number: string
}

const timeOf = ({ durationMs, startedAt, endedAt, segment }: TraceStep): string => {
  if (durationMs !== undefined) return duration(durationMs)
  if (startedAt === undefined || endedAt === undefined) return ''
  return `within ${duration(endedAt - startedAt)} (segment ${segment})`
}

const StepItem = ({ step, steps, at, number }: StepProps) => {
  const isActing = !lookingTypes.has(step.type)
  const before = isActing ? nearestScreen(steps, at, -1) : undefined
  const after = isActing ? nearestScreen(steps, at, 1) : step.screen
  const [isOpen, setOpen] = useState(step.state === 'failed' || step.state === 'unknown')
  const hasScreens = before !== undefined || after !== undefined
  return (
    <li class={`step ${step.state} ${isOpen ? 'open' : ''}`}>
      <div class="step-head">
        <span class="step-number mono muted">{number}</span>
        <b class="mono">{step.type}</b>
        <span class="step-params mono muted">{paramsText(step.params)}</span>
        <Badge text={step.state} />
        <span class="step-time muted">{timeOf(step)}</span>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : 'More'}
        </button>
      </div>
      {step.error && (
        <div class="step-error">
          <b class="mono">{step.error.code}</b> {step.error.message}
          {step.error.hint !== undefined && <p class="hint">Hint: {step.error.hint}</p>}
        </div>
      )}
      {isOpen && Object.keys(step.data).length > 0 && (
        <dl class="step-data">
          {Object.entries(step.data).map(([key, value]) => (
            <div key={key}>
              <dt class="mono">{key}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {(isOpen || hasScreens) && (
        <div class="shots">
          {isActing && <StepScreen screen={before} name="before" />}
          {(isActing || after) && <StepScreen screen={after} name={isActing ? 'after' : 'seen'} />}
        </div>
      )}
    </li>
  )
}

export interface StepsProps {
  executions: readonly TraceExecution[]
  isLinked: boolean
  isRun: boolean
}

export const Steps = ({ executions, isLinked, isRun }: StepsProps) => {
  const steps = executions.flatMap(({ timeline }) => timeline)
  let first = 0
  return (
    <section aria-label="Steps">
      <h2>{isRun ? 'What it did on the device' : 'Steps'}</h2>
      {steps.length === 0 && <p class="muted">Nothing was sent to a device.</p>}
      {executions.map((execution, index) => {
        const from = first
        first += execution.timeline.length
        return (
          <div key={execution.executionId} class="step-group">
            {isRun && (
              <h3>
                {isLinked ? (
                  <a href={hrefOf('executions', execution.executionId)}>{execution.commandId}</a>
                ) : (
                  execution.commandId
                )}{' '}
                <Badge text={execution.code ?? execution.state} />
              </h3>
            )}
            <ol class="steps">
              {execution.timeline.map((step, offset) => (
                <StepItem
                  key={step.id}
                  step={step}
                  steps={steps}
                  at={from + offset}
                  number={isRun ? `${index + 1}.${offset + 1}` : `${offset + 1}`}
                />
              ))}
            </ol>
          </div>
        )
      })}
    </section>
  )
}
