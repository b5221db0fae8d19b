/** One request to a page by Chrome's protocol, and the answer to it. A page may answer anything: what it says is checked. */
import * as v from 'valibot'
import { isNestedDeeper, parsedJson } from '../../contracts/json/json.ts'
import { shortenedText } from '../../runtime/text/shortened-text.ts'
import type { LinkSocket } from '../link/link.ts'
import { PageProblem } from './page-problem.ts'
import { openWebSocket } from './websocket.ts'

/** Some hundred times what pages of apps answer. */
const ANSWER_BYTES_MAX = 8 * 1_024 * 1_024
const REQUEST_ID = 1
const REASON_CHARS_MAX = 200
/** Twice what the programs answer. Deeper, the answer could not be written again. */
const NESTING_MAX = 120

/** The browser's words for an evaluation that ended with its document. */
const LEFT = /target navigated or closed|context was destroyed|promise was collected/i
export const DOCUMENT_LEFT = 'the document was left before it answered'

const Reply = v.object({
  id: v.literal(REQUEST_ID),
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ message: v.optional(v.string(), '') })),
})

const Evaluated = v.object({
  result: v.optional(v.object({ value: v.optional(v.unknown()) })),
  exceptionDetails: v.optional(
    v.object({
      text: v.optional(v.string(), ''),
      exception: v.optional(v.object({ description: v.optional(v.string()) })),
    }),
  ),
})

/** The reason of an invalid selector is behind the selector. */
export const shortReason = (text: string): string => shortenedText(text, REASON_CHARS_MAX).replace(/\.$/, '')

export interface PageRequest {
  method: string
  params?: Readonly<Record<string, unknown>> | undefined
  /** Called right before the request is sent: throws where this host may not act any more. */
  mayAct?: (() => void) | undefined
}

/** Resolves to the result of the method. Throws PageProblem. */
export const askInspector = async (
  socket: LinkSocket,
  target: string,
  { method, params = {}, mayAct }: PageRequest,
): Promise<unknown> => {
  const page = await openWebSocket(socket, target, { bytesMax: ANSWER_BYTES_MAX })
  mayAct?.()
  await page.send(JSON.stringify({ id: REQUEST_ID, method, params }))
  for (;;) {
    const message = parsedJson(await page.receive())
    if (isNestedDeeper(message, NESTING_MAX)) throw new PageProblem('its answer is nested too deep')
    const reply = v.safeParse(Reply, message)
    // Events of the page may come before the answer.
    if (!reply.success) continue
    const { result, error } = reply.output
    if (error && LEFT.test(error.message)) throw new PageProblem(DOCUMENT_LEFT)
    if (error) throw new PageProblem(`it could not be evaluated: ${shortReason(error.message)}`)
    return result
  }
}

export interface EvaluateOptions extends Pick<PageRequest, 'mayAct'> {
  /** The engine ends an evaluation that takes longer. */
  timeoutMs: number
  awaitPromise?: boolean | undefined
}

/** The value of the expression. Throws PageProblem, also for an expression that throws. */
export const evaluateInPage = async (
  socket: LinkSocket,
  target: string,
  expression: string,
  { timeoutMs, awaitPromise, mayAct }: EvaluateOptions,
): Promise<unknown> => {
  const params = {
    expression,
    returnByValue: true,
    silent: true,
    timeout: timeoutMs,
    ...(awaitPromise ? { awaitPromise, allowUnsafeEvalBlockedByCSP: true } : {}),
  }
  const result = await askInspector(socket, target, { method: 'Runtime.evaluate', params, mayAct })
  const read = v.safeParse(Evaluated, result)
  if (!read.success) throw new PageProblem('it does not answer as a page does')
  const { exceptionDetails: thrown } = read.output
  if (thrown)
    throw new PageProblem(`it could not be evaluated: ${shortReason(thrown.exception?.description ?? thrown.text)}`)
  return read.output.result?.value
}
