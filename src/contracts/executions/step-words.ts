/** Says in the words of people what is known of the steps of an execution, and from whom. */
import { onlyLooks } from '../actions/cards.ts'
import { duration } from '../duration.ts'
import type { Receipt } from './receipt.ts'

type KnownStep = NonNullable<Receipt['steps']>[number]

const TOLD = {
  progress: 'told as it ended',
  operator: 'told by the phone',
  log: 'read in the log of the phone',
} as const

/** From whom it is known, and how long after the answer. Undefined for what the answer itself says. */
export const toldBy = (
  { source, at }: Pick<KnownStep, 'source' | 'at'>,
  { state, settledAt }: Receipt,
): string | undefined => {
  if (source === undefined || source === 'result') return undefined
  const laterMs = source === 'progress' || at === undefined || settledAt === undefined ? 0 : at - settledAt
  const since = state === 'interrupted' ? 'its host was found dead' : 'its caller was answered'
  return laterMs > 0 ? `${TOLD[source]} ${duration(laterMs)} after ${since}` : TOLD[source]
}

export const MAY_HAVE_RUN = 'may have run'

const unknownWords = ({ id, actionType }: KnownStep, position: number, receipt: Receipt): string => {
  const { state, steps = [], runningStep, doubtfulSteps = [] } = receipt
  if (runningStep === id) return 'running'
  if (runningStep !== undefined && steps.findIndex(step => step.id === runningStep) < position) return 'not begun'
  if (state !== 'settled' && state !== 'interrupted') return 'not over'
  const isHarmless = !doubtfulSteps.includes(id) && onlyLooks(actionType)
  return isHarmless ? `changes nothing; ${MAY_HAVE_RUN}` : MAY_HAVE_RUN
}

/** "done, told by the phone 3 s after its host was found dead" */
export const stepWords = (step: KnownStep, position: number, receipt: Receipt): string => {
  const { result, steps } = receipt
  if (step.outcome === 'unknown') return unknownWords(step, position, receipt)
  if (step.outcome === 'not_run') return 'not run'
  const code = result?.ok && steps ? result.envelope.stepResults[position]?.data.error : undefined
  const outcome = step.outcome === 'failed' && code !== undefined ? `failed (${code})` : step.outcome
  return [outcome, toldBy(step, receipt)].filter(word => word !== undefined).join(', ')
}
