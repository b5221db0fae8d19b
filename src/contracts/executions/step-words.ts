/** Says in the words of people what is known of the steps of an execution. */
import { onlyLooks } from '../actions/cards.ts'
import type { Receipt } from './receipt.ts'
import { type TimeText, toldBy } from './told-by.ts'

type KnownStep = NonNullable<Receipt['steps']>[number]

export const MAY_HAVE_RUN = 'may have run'

const unknownWords = ({ id, actionType }: KnownStep, position: number, receipt: Receipt): string => {
  const { state, steps = [], runningStep, doubtfulSteps = [] } = receipt
  if (runningStep === id) return 'running'
  if (runningStep !== undefined && steps.findIndex(step => step.id === runningStep) < position) return 'not begun'
  if (state !== 'settled' && state !== 'interrupted') return 'not over'
  const isHarmless = !doubtfulSteps.includes(id) && onlyLooks(actionType)
  return isHarmless ? `changes nothing; ${MAY_HAVE_RUN}` : MAY_HAVE_RUN
}

interface StepWordsOptions {
  position: number
  receipt: Receipt
  time: TimeText
}

/** "done, told by the phone at 16:36:37" */
export const stepWords = (step: KnownStep, { position, receipt, time }: StepWordsOptions): string => {
  const { result, steps } = receipt
  if (step.outcome === 'unknown') return unknownWords(step, position, receipt)
  if (step.outcome === 'not_run') return 'not run'
  const code = result?.ok && steps ? result.envelope.stepResults[position]?.data.error : undefined
  const outcome = step.outcome === 'failed' && code !== undefined ? `failed (${code})` : step.outcome
  return [outcome, toldBy(step, time)].filter(word => word !== undefined).join(', ')
}
