/** The screens of a trace in the order in which they were recorded, and which of them lie before and after each step. */

import { wholeCompactScreen } from '../../../contracts/compact-screen.ts'
import type { NeighbourScreen, TraceExecution, TraceScreen, TraceStep } from '../../../contracts/doors/viewer.ts'

export interface Frame {
  /** Among all frames of the trace, from 0. */
  index: number
  screen: TraceScreen
  /** A compact snapshot: one line for each node. */
  lines?: string
  /** The positions of the steps that recorded it; none for a screen of another execution. */
  steps: readonly number[]
  at?: number
  neighbour?: NeighbourScreen
}

export interface StepView {
  step: TraceStep
  /** Among all steps of the trace, from 0. */
  position: number
  execution: TraceExecution
  /** Its number as people read it: `3`, in a skill run `2.3`. */
  number: string
  isActing: boolean
  before?: Frame
  /** For a step that looks: what it saw. */
  after?: Frame
}

export interface Film {
  frames: readonly Frame[]
  steps: readonly StepView[]
}

type Recorded = Pick<Frame, 'screen' | 'lines'>

const recordedBy = (step: TraceStep): Recorded | undefined => {
  const lines = wholeCompactScreen(step.data)
  if (step.screen === undefined && lines === undefined) return undefined
  return { screen: step.screen ?? {}, ...(lines === undefined ? {} : { lines }) }
}

/** A frame has one tree and one picture at most: a second one shows another moment. */
const mayJoin = ({ screen, lines }: Recorded, more: Recorded): boolean => {
  const [hasTree, addsTree] = [screen.xml ?? lines, more.screen.xml ?? more.lines].map(tree => tree !== undefined)
  const isSecond = (hasTree && addsTree) || (screen.picture !== undefined && more.screen.picture !== undefined)
  return !isSecond
}

/** Nothing that the step itself recorded tells more than the screen of a later execution. */
const isSeenNext = ({ step: { state }, isActing, after }: StepView): boolean =>
  state === 'unknown' ? !after : state === 'failed' && !isActing && (!after || after.neighbour !== undefined)

export const filmOf = (executions: readonly TraceExecution[], isRun: boolean): Film => {
  const frames: Frame[] = []
  const steps: StepView[] = []
  /** The newest frame, while nothing has acted since. */
  let present: Frame | undefined
  let mayChange = false
  /** The last step that acted, until a screen after it is recorded. */
  let acted: StepView | undefined

  const add = (recorded: Recorded, more: Pick<Frame, 'at' | 'neighbour'> & { steps: readonly number[] }): Frame => {
    const frame: Frame = { index: frames.length, ...recorded, ...more }
    frames.push(frame)
    present = frame
    mayChange = false
    if (acted) acted.after = frame
    acted = undefined
    return frame
  }
  const addNeighbour = (neighbour: NeighbourScreen | undefined): Frame | undefined => {
    if (!neighbour) return undefined
    const { lines } = neighbour
    const recorded = { screen: neighbour, ...(lines === undefined ? {} : { lines }) }
    return add(recorded, { steps: [], at: neighbour.at, neighbour })
  }
  const record = (position: number, step: TraceStep, recorded: Recorded): Frame => {
    if (!present || mayChange || !mayJoin(present, recorded)) {
      const at = step.endedAt ?? (step.knownAt === undefined ? step.startedAt : undefined)
      return add(recorded, { steps: [position], ...(at === undefined ? {} : { at }) })
    }
    const joined: Frame = {
      ...present,
      ...recorded,
      screen: { ...present.screen, ...recorded.screen },
      steps: [...present.steps, position],
    }
    frames[present.index] = joined
    for (const view of steps) {
      if (view.before?.index === joined.index) view.before = joined
      if (view.after?.index === joined.index) view.after = joined
    }
    present = joined
    return joined
  }

  for (const [index, execution] of executions.entries()) {
    addNeighbour(execution.before)
    for (const [offset, step] of execution.timeline.entries()) {
      const position = steps.length
      const isActing = !step.looks
      const number = isRun ? `${index + 1}.${offset + 1}` : `${offset + 1}`
      const view: StepView = { step, position, execution, number, isActing, ...(present ? { before: present } : {}) }
      steps.push(view)
      const recorded = isActing ? undefined : recordedBy(step)
      if (recorded) view.after = record(position, step, recorded)
      else if (!isActing && present) view.after = present
      if (step.takesTime) mayChange = true
      if (!isActing || step.state === 'not-run') continue
      acted = view
      present = undefined
    }
    const next = addNeighbour(execution.after)
    if (!next) continue
    for (const view of steps) if (view.execution === execution && isSeenNext(view)) view.after = next
  }
  return { frames, steps }
}

/** The step that a reader looks for first: the one that failed or is in doubt, else the first. */
export const firstOfInterest = (steps: readonly StepView[]): number => {
  const found = steps.findIndex(({ step }) => step.state === 'failed' || step.state === 'unknown')
  return Math.max(0, found)
}
