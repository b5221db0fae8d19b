/** Asks one page by Chrome's protocol for its visible elements. A page may answer anything: what it says is checked. */
import * as v from 'valibot'
import type { LinkSocket } from '../link/link.ts'
import type { WebQuery } from '../screen/patterns/flow-words.ts'
import { evaluateInPage, shortReason } from './inspector-reply.ts'
import { ELEMENTS_MAX, pageExpression } from './page-expression.ts'
import { PageProblem } from './page-problem.ts'

/** The engine ends an evaluation that takes longer. */
export const EVALUATION_MS = 4_000

const Px = v.pipe(v.number(), v.finite())

const Element = v.object({
  parent: v.pipe(v.number(), v.integer(), v.minValue(-1)),
  box: v.tuple([Px, Px, Px, Px]),
  kind: v.string(),
  id: v.string(),
  text: v.string(),
  label: v.string(),
  hint: v.string(),
  css: v.array(v.pipe(v.number(), v.integer(), v.minValue(0))),
  flags: v.array(v.string()),
})
export type PageElement = v.InferOutput<typeof Element>

const Page = v.object({
  title: v.string(),
  isHidden: v.boolean(),
  isFull: v.boolean(),
  view: v.object({ left: Px, top: Px, width: Px, height: Px }),
  elements: v.pipe(
    v.array(Element),
    v.maxLength(ELEMENTS_MAX),
    v.check(elements => elements.every(({ parent }, index) => parent < index)),
  ),
})
export type PageAnswer = v.InferOutput<typeof Page>

const BadSelector = v.object({ bad: v.pipe(v.number(), v.integer()), reason: v.string() })

/** No page takes such a selector: to ask again is of no use. */
export interface RefusedSelector {
  refused: string
  reason: string
}

const unreadable = () => new PageProblem('it does not answer as a page does')

export const readPageAnswer = (value: unknown, { css }: WebQuery): PageAnswer | RefusedSelector => {
  const bad = v.safeParse(BadSelector, value)
  const refused = bad.success ? css[bad.output.bad] : undefined
  if (bad.success && refused !== undefined) return { refused, reason: shortReason(bad.output.reason) }
  const read = v.safeParse(Page, value)
  if (!read.success) throw unreadable()
  if (read.output.isFull) throw new PageProblem(`it shows more than ${ELEMENTS_MAX} elements`)
  return read.output
}

export const askPage = async (
  socket: LinkSocket,
  target: string,
  query: WebQuery,
): Promise<PageAnswer | RefusedSelector> =>
  readPageAnswer(await evaluateInPage(socket, target, pageExpression(query), { timeoutMs: EVALUATION_MS }), query)
