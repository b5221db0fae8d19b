/** The header `androidWebViewHierarchy: devtools`: selectors of the flow mean elements of web pages too. */
import type { FlowSelector } from '../../../contracts/flows/flow-selector.ts'
import { isObject } from '../../../contracts/json/json.ts'
import type { PhoneStep } from '../phones.ts'

const inMatcher = (matcher: { flow: FlowSelector }) => ({ flow: { ...matcher.flow, webElements: true } })

const isOfFlow = (value: unknown): value is { flow: FlowSelector } => isObject(value) && isObject(value.flow)

const inParam = (value: unknown): unknown => {
  if (isOfFlow(value)) return inMatcher(value)
  return isObject(value) && isOfFlow(value.matcher) ? { ...value, matcher: inMatcher(value.matcher) } : value
}

/** The steps with all of their selectors so: in a param, or in the place that a param names. */
export const withWebElements = (steps: readonly PhoneStep[]): PhoneStep[] =>
  steps.map(step =>
    step.params === undefined
      ? step
      : {
          ...step,
          params: Object.fromEntries(Object.entries(step.params).map(([key, value]) => [key, inParam(value)])),
        },
  )
