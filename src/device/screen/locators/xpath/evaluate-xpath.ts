/** Evaluates an XPath 1.0 expression over a screen within a time; pure, so that a thread can do it. */
import { runInNewContext } from 'node:vm'
import xpath from 'xpath'
import type { UiTree } from '../../../../contracts/device/ui-tree.ts'
import { messageOf } from '../../../../runtime/message-of.ts'
import { shortText } from '../../../../runtime/text/shortened-text.ts'
import type { SourceScreen } from '../source-node.ts'
import { XPathElement, xpathScreen } from './xpath-document.ts'

export interface XPathTask {
  expression: string
  tree: UiTree
  screen: SourceScreen
  /** The node that the expression begins at, by its position depth first; the document without it. */
  from?: number | undefined
  timeoutMs: number
}

/** Positions of nodes depth first, in the order of the document; or why there are none, as a sentence. */
export type XPathAnswer = { ok: true; positions: readonly number[] } | { ok: false; message: string }

/** The part of the package that its types leave out. */
interface XPathPackage {
  parse(expression: string): { evaluate(options: { node: unknown }): { toArray?: () => unknown[] } }
}

const { parse } = xpath as unknown as XPathPackage

const refused = (expression: string, problem: string): XPathAnswer => ({
  ok: false,
  message: `The XPath expression ${shortText(expression)} ${problem}`,
})

const LITERAL = /"[^"]*"|'[^']*'/g

/** Parts of XPath 1.0 that need a document type or namespaces, which a screen has not. */
const missingPart = (expression: string): string | undefined => {
  const code = expression.replace(LITERAL, '""')
  if (/(?<![\w.:-])id\s*\(/.test(code)) return 'uses id(), but a screen has no ids of XML; use //*[@resource-id="..."].'
  if (/(?<![\w.-])namespace\s*::/.test(code)) return 'uses the axis namespace, but a screen has no namespaces.'
  return undefined
}

const parsed = (expression: string) => {
  try {
    return parse(expression)
  } catch (error) {
    return messageOf(error)
  }
}

const evaluate = ({ expression, tree, screen, from }: XPathTask): XPathAnswer => {
  const read = parsed(expression)
  if (typeof read === 'string') {
    return refused(expression, `cannot be parsed (${shortText(read.replace(/\.$/, ''))}); expected XPath 1.0.`)
  }
  const missing = missingPart(expression)
  if (missing !== undefined) return refused(expression, missing)
  const { document, elements } = xpathScreen(tree, screen)
  const result = read.evaluate({ node: from === undefined ? document : elements[from] })
  if (typeof result.toArray !== 'function') {
    return refused(expression, 'gives a text, a number or a truth value; expected elements.')
  }
  const nodes = result.toArray()
  const others = nodes.filter(node => !(node instanceof XPathElement))
  if (others.length > 0) return refused(expression, 'gives attributes or the document itself; expected elements.')
  return { ok: true, positions: nodes.flatMap(node => (node instanceof XPathElement ? (node.at ?? []) : [])) }
}

const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** Holds the thread up that it is called in. */
export const evaluateXPath = (task: XPathTask): XPathAnswer => {
  const { expression, timeoutMs } = task
  try {
    // Only a script with a timeout can be ended by the engine, with all that it calls.
    return runInNewContext('evaluate()', { evaluate: () => evaluate(task) }, { timeout: timeoutMs }) as XPathAnswer
  } catch (error) {
    return refused(
      expression,
      isTimeout(error)
        ? `took longer than ${timeoutMs} ms; use a shorter one, such as //*[@resource-id="..."].`
        : `cannot be evaluated: ${shortText(messageOf(error).replace(/\.$/, ''))}.`,
    )
  }
}
