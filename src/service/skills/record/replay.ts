/** Section Record, steps: what of the recorded steps is done again, with waits where time had passed. */
import type { Action } from '../../../contracts/executions/action.ts'
import type { Matcher } from '../../../contracts/executions/matcher.ts'
import { EXPECTED_FORMAT } from '../../../contracts/json/literals.ts'
import {
  ACTIONS_MAX,
  EXECUTION_TIMEOUT_MS,
  ID_CHARS_MAX,
  RECORDED_RECIPE_BYTES,
  RECORDED_RECIPE_MS,
  SYNTHETIC_TIMEOUT_MS,
  WAIT_FOR_NODE_MS,
} from '../../../contracts/limits/limits.ts'
import type { FlowStep } from './flow.ts'

interface ReplayStep {
  action: Action
  /** Set on the first step of an execution. */
  begins?: FlowStep['begins'] | undefined
}

/** These actions were for whoever looked, and change nothing. */
const isForLooking = ({ type }: Action) => type === 'snapshot' || type === 'take_screenshot'

/** The node that must be there before the action can begin. What is scrolled to need not be. */
const neededBy = (action: Action): Matcher | undefined => {
  switch (action.type) {
    case 'click':
    case 'enter_text':
    case 'read_text':
      return action.params.matcher
    case 'read_key_value_pair':
      return action.params.labelMatcher
    default:
      return undefined
  }
}

const waitMs = (sleptMs: number) => Math.min(WAIT_FOR_NODE_MS.max, Math.max(WAIT_FOR_NODE_MS.default, sleptMs))

/** A pause before a step becomes a wait for what the step needs; without such a node only a sleep can stand for it. */
export const replayOf = (steps: readonly FlowStep[], anchorOf: (place: number) => Matcher | undefined) => {
  const replayed: ReplayStep[] = []
  const notes: string[] = []
  let slept: Extract<Action, { type: 'sleep' }>[] = []
  let hasPaused = false
  let begins: FlowStep['begins']
  let waits = 0
  const sleptMs = () => slept.reduce((sum, { params }) => sum + params.durationMs, 0)
  const put = (action: Action) => {
    replayed.push({ action, begins })
    begins = undefined
  }
  const pauseBefore = (action: Action, place: number): Action => {
    const needed = neededBy(action) ?? (hasPaused ? anchorOf(place) : undefined)
    if (action.type === 'wait_for_node') {
      const timeoutMs = Math.min(WAIT_FOR_NODE_MS.max, action.params.timeoutMs + sleptMs())
      return { ...action, params: { ...action.params, timeoutMs } }
    }
    if (needed && (slept.length > 0 || hasPaused) && replayed.length > 0) {
      waits += 1
      put({ id: `wait-${waits}`, type: 'wait_for_node', params: { matcher: needed, timeoutMs: waitMs(sleptMs()) } })
    } else if (slept.length > 0) {
      for (const sleep of slept) put(sleep)
      notes.push(`the sleep before step "${action.id}" stays: the step names no node to wait for`)
    }
    return action
  }
  for (const [place, step] of steps.entries()) {
    const { action } = step
    if (step.begins) {
      hasPaused = true
      begins = begins
        ? {
            ...step.begins,
            durationMs: begins.durationMs + step.begins.durationMs,
            timeoutMs: Math.max(begins.timeoutMs, step.begins.timeoutMs),
          }
        : step.begins
    }
    if (action.type === 'sleep') slept.push(action)
    else if (isForLooking(action)) hasPaused = true
    else {
      put(pauseBefore(action, place))
      slept = []
      hasPaused = false
    }
  }
  if (slept.length > 0) notes.push('the sleep at the end is not in the skill')
  // The waits that stand for a pause were not recorded.
  return { steps: withUniqueIds(replayed), actionsReplayed: replayed.length - waits, notes }
}

const withUniqueIds = (steps: readonly ReplayStep[]): ReplayStep[] => {
  const taken = new Set<string>()
  return steps.map(({ action, ...rest }) => {
    const base = action.id.slice(0, ID_CHARS_MAX - 4)
    let id = base
    for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`
    taken.add(id)
    return { ...rest, action: { ...action, id } }
  })
}

export interface Recipe {
  /** The file name without its suffix. */
  name: string
  content: {
    commandId: string
    taskId: string
    source: string
    expectedFormat: typeof EXPECTED_FORMAT
    timeoutMs: number
    actions: readonly Action[]
  }
}

export const recipeOf = (
  name: string,
  actions: readonly Action[],
  timeoutMs: number = SYNTHETIC_TIMEOUT_MS,
): Recipe => ({
  name,
  content: {
    commandId: '{{COMMAND_ID}}',
    taskId: '{{TASK_ID}}',
    source: 'skill',
    expectedFormat: EXPECTED_FORMAT,
    timeoutMs: Math.min(EXECUTION_TIMEOUT_MS.max, Math.max(SYNTHETIC_TIMEOUT_MS, timeoutMs)),
    actions,
  },
})

/** Groups the steps into as few recipes as fit: by the number of their actions, their size, and their time. */
export const recipesOf = (name: string, steps: readonly ReplayStep[]): Recipe[] => {
  const parts: { actions: Action[]; bytes: number; durationMs: number; timeoutMs: number }[] = []
  for (const { action, begins } of steps) {
    const bytes = Buffer.byteLength(JSON.stringify(action))
    const { durationMs = 0, timeoutMs = 0 } = begins ?? {}
    const part = parts.at(-1)
    const fits =
      part &&
      part.actions.length < ACTIONS_MAX &&
      part.bytes + bytes <= RECORDED_RECIPE_BYTES &&
      part.durationMs + durationMs <= RECORDED_RECIPE_MS
    if (!fits) parts.push({ actions: [action], bytes, durationMs, timeoutMs })
    else {
      part.actions.push(action)
      part.bytes += bytes
      part.durationMs += durationMs
      part.timeoutMs += timeoutMs
    }
  }
  return parts.map(({ actions, timeoutMs }, index) =>
    recipeOf(parts.length === 1 ? name : `${name}-${index + 1}`, actions, timeoutMs),
  )
}
