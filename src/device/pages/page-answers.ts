/** The answers of the page program: values, and problems as failures of a step. */
import * as v from 'valibot'
import { StepFailure } from '../screen/step-failure.ts'
import { shortReason } from './inspector-reply.ts'
import { PageProblem } from './page-problem.ts'

const Answer = v.union([
  v.object({ value: v.unknown() }),
  v.object({ error: v.string(), message: v.optional(v.string(), '') }),
])

/** The program has these words for what the page does not take. */
export const REFUSALS = [
  'invalid selector',
  'too many',
  'no such element',
  'no such frame',
  'foreign frame',
  'not interactable',
  'intercepted',
  'option',
  'invalid state',
  'no scripts',
  'unsendable',
] as const

const HINTS: Partial<Readonly<Record<(typeof REFUSALS)[number], string>>> = {
  'too many': 'Use a selector that fewer elements match.',
  unsendable: 'Read an attribute, or a property that holds a text, a number, a list or an element.',
  'no scripts': 'Run the script in a page of a real device, or read the page by commands about its elements.',
}

export const refusedByPage = (reason: (typeof REFUSALS)[number], message: string): StepFailure =>
  new StepFailure('PAGE_REFUSED', message, { data: { reason }, hint: HINTS[reason] })

const failureOf = (error: string, message: string): StepFailure => {
  const refusal = REFUSALS.find(each => each === error)
  if (refusal) return refusedByPage(refusal, message)
  if (error === 'stale')
    return new StepFailure('REF_STALE', `the element is stale: ${message}`, { data: { reason: message } })
  if (error === 'no such window') return new StepFailure('PAGE_NOT_FOUND', message)
  // The script ran to its end: only its result is lost.
  if (error === 'stale result') return new StepFailure('PAGE_SCRIPT_FAILED', message, { data: { reason: 'stale' } })
  if (error === 'timeout')
    return new StepFailure('PAGE_SCRIPT_FAILED', 'the script did not end in time', { data: { reason: 'timeout' } })
  if (error === 'javascript error') return new StepFailure('PAGE_SCRIPT_FAILED', message, { data: { reason: 'error' } })
  throw new PageProblem(`it says ${JSON.stringify(shortReason(message))}`)
}

/** Throws StepFailure for what the page refuses, and PageProblem for what is no answer. */
export const answeredValue = (answer: unknown): unknown => {
  const read = v.safeParse(Answer, answer)
  if (!read.success) throw new PageProblem('it does not answer as a page does')
  if ('error' in read.output) throw failureOf(read.output.error, shortReason(read.output.message) || read.output.error)
  return read.output.value
}
