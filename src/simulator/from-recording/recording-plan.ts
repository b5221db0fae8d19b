/** Cuts the steps of a recording into intervals: what was seen on each screen, and the acting step that led on from it. */
import type { Action } from '../../contracts/executions/action.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import { type Dump, readDump } from '../from-dump/read-dump.ts'

export interface RecordedStep {
  action: Action
  /** The data of the step's result. */
  data: Readonly<Record<string, string>>
}

/** The time between two acting steps. */
export interface RecordingInterval {
  /** The last screen that was seen in it. */
  dump?: Dump
  /** The nodes that the looking steps found, and the one that the acting step at its end needs. */
  needs: { step: string; matcher: Matcher; label: string | undefined; editable: boolean }[]
  /** At its end; undefined for the last interval. */
  act?: Action
}

interface OpenedApp {
  packageName?: string
  uri?: string
}

export interface RecordingPlan {
  intervals: readonly RecordingInterval[]
  /** The opening before the first interval; undefined when an app was in front already. */
  opening: OpenedApp | undefined
}

const targetOf = (action: Action): { matcher: Matcher; editable: boolean } | undefined => {
  if (action.type === 'enter_text' && action.params.matcher) return { matcher: action.params.matcher, editable: true }
  if (action.type === 'click' && action.params.matcher) return { matcher: action.params.matcher, editable: false }
  return undefined
}

/** The matcher of a step that only looks, and the label that it found. */
const lookOf = ({ action, data }: RecordedStep): { matcher: Matcher; label: string | undefined } | undefined => {
  switch (action.type) {
    case 'wait_for_node':
      return { matcher: action.params.matcher, label: data.label }
    case 'wait_for_navigation':
      return action.params.expectedNode && { matcher: action.params.expectedNode, label: undefined }
    case 'read_text':
      return { matcher: action.params.matcher, label: action.params.all ? undefined : data.text }
    case 'read_key_value_pair':
      return { matcher: action.params.labelMatcher, label: data.label }
    default:
      return undefined
  }
}

const ACTS: readonly Action['type'][] = [
  'open_app',
  'open_uri',
  'close_app',
  'click',
  'swipe',
  'scroll',
  'scroll_until',
  'scroll_and_click',
  'enter_text',
  'press_key',
]

const isOpening = (act: Action | undefined): act is Extract<Action, { type: 'open_app' | 'open_uri' | 'close_app' }> =>
  act !== undefined && ['open_app', 'open_uri', 'close_app'].includes(act.type)

/** All that a step says; the text of a snapshot is read first. */
const masked = <T>(value: T, mask: (text: string) => string): T => {
  if (typeof value === 'string') return mask(value) as T
  if (Array.isArray(value)) return value.map(item => masked(item, mask)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, masked(child, mask)])) as T
}

export const planRecording = (steps: readonly RecordedStep[], mask: (text: string) => string): RecordingPlan => {
  const intervals: RecordingInterval[] = []
  let current: RecordingInterval = { needs: [] }
  for (const recordedStep of steps) {
    const step = recordedStep.action.type === 'snapshot' ? recordedStep : masked(recordedStep, mask)
    const { action, data } = step
    if (action.type === 'snapshot') {
      const read = readDump(data.text ?? '', data.foreground_package)
      if (read.ok) current.dump = read.dump
    }
    const look = lookOf(step)
    if (look) current.needs.push({ ...look, step: action.id, editable: false })
    if (!ACTS.includes(action.type)) continue
    const target = targetOf(action)
    if (target) current.needs.push({ ...target, step: action.id, label: undefined })
    current.act = action
    intervals.push(current)
    current = { needs: [] }
  }
  intervals.push(current)
  let opening: OpenedApp | undefined
  while (isOpening(intervals[0]?.act) && intervals.length > 1) {
    const act = intervals.shift()?.act
    if (act?.type === 'open_app') opening = { packageName: act.params.applicationId }
    if (act?.type === 'open_uri') opening = { uri: act.params.uri }
  }
  // An app closed at the end leads to screens that no step looks at.
  while (intervals.length > 1 && intervals.at(-2)?.act?.type === 'close_app' && intervals.at(-1)?.needs.length === 0) {
    intervals.pop()
    delete intervals.at(-1)?.act
  }
  return { intervals, opening }
}
