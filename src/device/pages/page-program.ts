/**
 * The one program that is evaluated in pages for commands about their elements. It is fixed: what a caller sends is its
 * argument, as JSON, and becomes code only where it is the script of page_script. Pages may be shown by an old browser
 * engine (Chrome 61 and later), so it is written without newer syntax.
 */
import { PAGE_HANDLES_MAX } from '../../contracts/limits/page-limits.ts'
import { ACTS } from './program/acts.ts'
import { asLiteral } from './program/as-literal.ts'
import { ELEMENTS } from './program/elements.ts'
import { FACTS } from './program/facts.ts'
import { PROTOTYPES } from './program/prototypes.ts'

export interface PageAsk {
  operation: string
  frames: readonly string[]
  element?: string | undefined
  by?: string | undefined
  value?: string | undefined
  index?: number | undefined
  most?: number | undefined
  script?: string | undefined
  args?: unknown
  isAsync?: boolean | undefined
  timeoutMs?: number | undefined
}

const SOURCE = `(function (ask) {${PROTOTYPES}${ELEMENTS}
${FACTS}
${ACTS}
  try {
    enterFrames()
    return ask.operation === 'script' ? runScript() : { value: OPERATIONS[ask.operation]() }
  } catch (error) {
    return ask.operation === 'script' || isProblem(error) ? failureOf(error) : { error: 'page', message: String(error) }
  }
})`

export const pageProgram = (ask: PageAsk): string => `${SOURCE}(${asLiteral({ ...ask, handles: PAGE_HANDLES_MAX })})`

/** The argument of the program; undefined for any other expression. For those who answer in the place of a page. */
export const askIn = (expression: string): PageAsk | undefined =>
  expression.startsWith(`${SOURCE}(`) ? (JSON.parse(expression.slice(SOURCE.length + 1, -1)) as PageAsk) : undefined
