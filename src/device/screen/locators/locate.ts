/** Finds the elements of one read screen by a locator strategy and its value. */

import { type FoundNode, type UiTree, walk } from '../../../contracts/device/ui-tree.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { shortText } from '../../../runtime/text/shortened-text.ts'
import { inSlices, PIECE, type Sliced, withoutPauses } from '../../../runtime/yielding.ts'
import { readCssSelector } from './css-selector.ts'
import { resourceIdsOf } from './resource-ids.ts'
import { readUiAutomator } from './uiautomator/read-ui-automator.ts'
import { findingStatements } from './uiautomator/statements.ts'
import { findingUiSelector, type UiSelector } from './uiautomator/ui-selector.ts'
import { locateByXPath, type XPathLimits } from './xpath/locate-by-xpath.ts'
import { type XPathEvaluator, xpathHere } from './xpath/xpath-evaluator.ts'

export const STRATEGIES = [
  'accessibility id',
  'id',
  'class name',
  'xpath',
  '-android uiautomator',
  'css selector',
] as const
type Strategy = (typeof STRATEGIES)[number]

export interface LocateQuery {
  strategy: string
  value: string
  tree: UiTree
  /** Only what is inside of this element; for xpath, the node that the expression begins at. */
  within?: FoundNode | undefined
  foregroundPackage: string
  signal?: AbortSignal | undefined
  limits?: Partial<XPathLimits> | undefined
  /** Evaluates in a thread; without one, expressions are evaluated here. */
  xpath?: XPathEvaluator | undefined
  /** With a clock, other work has its turn in between. */
  clock?: Pick<Clock, 'elapsed' | 'soon'> | undefined
}

/** Not ok: `invalid selector`, and why. */
export type Located = { ok: true; nodes: readonly FoundNode[] } | { ok: false; message: string }

const inPieces = <T>(work: Sliced<T>, { clock, signal }: LocateQuery): Promise<T> | T =>
  clock ? inSlices(work, { clock, signal }) : withoutPauses(work)

const findingAll = function* (selectors: readonly UiSelector[], { tree, within }: LocateQuery): Sliced<FoundNode[]> {
  const wanted = new Set<unknown>()
  for (const selector of selectors) {
    for (const { node } of yield* findingUiSelector(selector, tree, within)) wanted.add(node)
  }
  const found: FoundNode[] = []
  let seen = 0
  for (const each of within ? walk(within.node.children, within) : walk(tree.roots)) {
    seen += 1
    if (seen % PIECE === 0) yield
    if (wanted.has(each.node)) found.push(each)
  }
  return found
}

const byEqual = async (
  query: LocateQuery,
  of: 'contentDesc' | 'resourceId' | 'className',
  values: readonly string[],
): Promise<Located> => {
  const selector: UiSelector = { tests: [{ kind: 'equals', of, values }] }
  return { ok: true, nodes: await inPieces(findingUiSelector(selector, query.tree, query.within), query) }
}

const BY_STRATEGY: Readonly<Record<Strategy, (query: LocateQuery) => Promise<Located>>> = {
  'accessibility id': query => byEqual(query, 'contentDesc', [query.value]),
  id: query => byEqual(query, 'resourceId', resourceIdsOf(query.value, query.foregroundPackage)),
  'class name': query => byEqual(query, 'className', [query.value]),
  xpath: query => locateByXPath({ ...query, evaluator: query.xpath ?? xpathHere }),
  async '-android uiautomator'(query) {
    const read = readUiAutomator(query.value)
    if (!read.ok) return read
    return await inPieces(findingStatements(read.statements, query.tree, query.within), query)
  },
  async 'css selector'(query) {
    const read = readCssSelector(query.value, query.foregroundPackage)
    return read.ok ? { ok: true, nodes: await inPieces(findingAll(read.selectors, query), query) } : read
  },
}

const NOT_HERE: Readonly<Record<string, string>> = {
  name: 'The locator strategy name is one of JSON Wire and no longer there',
  'tag name': 'The locator strategy tag name is for web pages: use class name',
}

const refusal = (strategy: string): string => {
  const problem = Object.hasOwn(NOT_HERE, strategy) ? NOT_HERE[strategy] : undefined
  const question = problem === undefined ? didYouMean(strategy, STRATEGIES) : ''
  const refused = problem ?? `The locator strategy ${shortText(strategy)} is not supported`
  return `${refused}${question === '' ? '; expected' : `.${question} Expected`} one of ${STRATEGIES.join(', ')}.`
}

/** Rejects when the signal aborts. */
export const locate = async (query: LocateQuery): Promise<Located> => {
  query.signal?.throwIfAborted()
  const strategy = STRATEGIES.find(each => each === query.strategy)
  if (!strategy) return { ok: false, message: refusal(query.strategy) }
  if (query.value === '')
    return { ok: false, message: `The locator strategy ${strategy} needs a value that is not empty.` }
  return await BY_STRATEGY[strategy](query)
}
