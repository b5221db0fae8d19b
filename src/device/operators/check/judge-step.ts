/** The answers of steps as each action documents them: its data, or one of its failure codes. */

import { cardOf } from '../../../contracts/actions/cards.ts'
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import type { Answer } from './await-answer.ts'
import type { CheckBench } from './bench.ts'
import { Breach } from './breach.ts'
import type { WrittenAction } from './check-request.ts'
import { codeOf, judgeStepData } from './judge-envelope.ts'
import { isSuccess } from './message-checks.ts'

/** The one step succeeds, and its data is what is documented. */
export const succeeds = async (bench: CheckBench, action: WrittenAction): Promise<StepResult> => {
  const [step] = isSuccess(await bench.ask([action])).stepResults
  if (!step) throw new Error('a success without its step was not judged')
  judgeStepData(step)
  return step
}

export const expectData = ({ actionType, data }: StepResult, key: string, wanted: string): void => {
  if (data[key] === wanted) return
  throw new Breach(
    `${key} of ${actionType} is ${JSON.stringify(data[key])} where ${JSON.stringify(wanted)} was due.`,
    'See the action in docs/actions.md.',
  )
}

const failedCode = (answer: Answer, code: string): Answer['envelope'] => {
  const { envelope } = answer
  if (envelope.status === 'failed' && codeOf(envelope) === code) return envelope
  throw new Breach(
    `The request was answered with ${codeOf(envelope) ?? envelope.status}.`,
    `Fail the step with ${code}, in \`data.error\` of the step, \`error.code\` and \`errorCode\`.`,
  )
}

/** The one step fails with that code. */
export const failsWith = async (bench: CheckBench, action: WrittenAction, code: string): Promise<string> => {
  const [step] = failedCode(await bench.ask([action]), code).stepResults
  if (step?.data.error === code) return `Failed with ${code}.`
  throw new Breach(
    'The step that failed is not reported.',
    `Report it with success false and ${code} in \`data.error\`.`,
  )
}

const UNSUPPORTED = 'EXECUTION_ACTION_UNSUPPORTED'

/** The step succeeds as documented, or with a code of its action: not every phone allows it. */
export const answersAsDocumented = async (bench: CheckBench, action: WrittenAction): Promise<string> => {
  const answer = await bench.ask([action])
  const [step] = answer.envelope.stepResults
  if (answer.envelope.status === 'success' && step) {
    judgeStepData(step)
    return 'Performed.'
  }
  const code = codeOf(answer.envelope) ?? ''
  const documented: readonly string[] = cardOf(action.type)?.failures ?? []
  if ([...documented, UNSUPPORTED].includes(code))
    return `Answered with ${code}, as documented for what a phone does not allow.`
  throw new Breach(
    `${action.type} was answered with ${code}.`,
    `Perform it, or fail with ${[...documented, UNSUPPORTED].join(' or ')}.`,
  )
}
