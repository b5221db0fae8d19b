/** The answers that keep a rule: successes with their data, refusals, and failures of a step with a certain code. */

import { cardOf } from '../../../contracts/actions/cards.ts'
import type { Answer } from './bench.ts'
import { demand } from './breach.ts'
import { codeOf, judgeStepData } from './judge-envelope.ts'

/** Throws a Breach; may say what came. */
export type Judge = (answer: Answer) => string | undefined

const SWITCH_ON = 'Switch on the accessibility service of the operator app, then check again.'
const PERFORM = 'Perform the steps of this request, and report them as successes.'

/** All steps succeed; with `data`, they have every documented key, and the first has these values. */
export const success =
  (data?: Readonly<Record<string, string>>, remedy = PERFORM): Judge =>
  ({ envelope }) => {
    const code = codeOf(envelope)
    const came = `The answer is a failure: ${code}: ${envelope.error?.message}`
    demand(envelope.status === 'success', came, code === 'SERVICE_UNAVAILABLE' ? SWITCH_ON : remedy)
    if (data) envelope.stepResults.forEach(judgeStepData)
    const [step] = envelope.stepResults
    for (const [key, wanted] of Object.entries(data ?? {})) {
      const value = step?.data[key]
      const differs = `${key} of ${step?.actionType} is ${JSON.stringify(value)} where ${JSON.stringify(wanted)} was due.`
      demand(value === wanted, differs, 'See the action in docs/actions.md.')
    }
    return undefined
  }

/** The request is answered with one of the codes. */
export const refusal =
  (...codes: readonly string[]): Judge =>
  ({ envelope }) => {
    const code = codeOf(envelope)
    demand(
      envelope.status === 'failed' && code !== undefined && codes.includes(code),
      `The request was answered with ${code ?? envelope.status}.`,
      `Answer it with status failed and ${codes.join(' or ')}, and perform none of it.`,
    )
    return `Refused with ${code}.`
  }

/** The one step fails with that code. */
export const failure =
  (code: string): Judge =>
  ({ envelope }) => {
    demand(
      envelope.status === 'failed' && codeOf(envelope) === code,
      `The request was answered with ${codeOf(envelope) ?? envelope.status}.`,
      `Fail the step with ${code}, in \`data.error\` of the step, \`error.code\` and \`errorCode\`.`,
    )
    demand(
      envelope.stepResults[0]?.data.error === code,
      'The step that failed is not reported.',
      `Report it with success false and ${code} in \`data.error\`.`,
    )
    return `Failed with ${code}.`
  }

/** The step succeeds as documented, or with a code of its action: not every phone allows it. */
export const asDocumented =
  (actionType: string): Judge =>
  ({ envelope }) => {
    const [step] = envelope.stepResults
    if (envelope.status === 'success' && step) {
      judgeStepData(step)
      return 'Performed.'
    }
    const code = codeOf(envelope) ?? ''
    const codes: readonly string[] = [...(cardOf(actionType)?.failures ?? []), 'EXECUTION_ACTION_UNSUPPORTED']
    const remedy = `Perform it, or fail with ${codes.join(' or ')}.`
    demand(codes.includes(code), `${actionType} was answered with ${code}.`, remedy)
    return `Answered with ${code}, as documented for what a phone does not allow.`
  }
