/** A selector of a flow in words, and which facts it asks for that take longer to read. */

import type { PageElement } from '../../../contracts/device/page-element.ts'
import type { FlowSelector } from '../../../contracts/flows/flow-selector.ts'

/** The elements of web pages that a step is about. */
export interface WebQuery {
  /** Selectors of which each element says whether it matches. */
  css: readonly string[]
  /** All elements that say something, beside those that match. */
  all: boolean
  /** This element alone: it is brought into view, and the others are not read. */
  element?: PageElement | undefined
}

/** Every selector in it, itself included. */
const selectorsIn = function* (selector: FlowSelector): Generator<FlowSelector> {
  yield selector
  const { below, above, leftOf, rightOf, childOf, containsChild, containsDescendants = [] } = selector
  for (const other of [below, above, leftOf, rightOf, childOf, containsChild, ...containsDescendants]) {
    if (other) yield* selectorsIn(other)
  }
}

export const asksForFlowChecks = (selector: FlowSelector): boolean =>
  [...selectorsIn(selector)].some(({ checked }) => checked !== undefined)

/** Undefined for a selector that is about native nodes alone. */
export const pagesOfFlow = (selector: FlowSelector): WebQuery | undefined => {
  const all = [...selectorsIn(selector)]
  const css = [...new Set(all.flatMap(each => each.css ?? []))]
  if (css.length === 0 && !selector.webElements) return undefined
  // A part without css may mean another element of the page.
  return { css, all: selector.webElements === true || all.some(each => each.css === undefined) }
}

const OTHERS = ['below', 'above', 'leftOf', 'rightOf', 'childOf', 'containsChild'] as const

/** `key=value` of each key, as messages name a selector. */
export const describeFlowSelector = (selector: FlowSelector): string =>
  Object.entries(selector)
    .flatMap(([key, value]): string[] => {
      if (key === 'containsDescendants')
        return (value as FlowSelector[]).map(each => `containsDescendants=(${describeFlowSelector(each)})`)
      if (OTHERS.some(other => other === key)) return [`${key}=(${describeFlowSelector(value as FlowSelector)})`]
      return key === 'webElements' ? [] : [`${key}=${value}`]
    })
    .join(', ')
