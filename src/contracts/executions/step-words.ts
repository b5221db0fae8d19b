/** Says in the words of people what is known of the steps of an execution, and from whom. */
import { onlyLooks } from '../actions/cards.ts'
import { duration } from '../duration.ts'
import type { Receipt } from './receipt.ts'

type KnownStep = NonNullable<Receipt['steps']>[number]

const TOLD = { operator: 'told by the phone', log: 'read in the log of the phone' } as const

/** Prints a moment: in local time for people, in ISO for programs. */
export type TimeText = (at: number) => string

export const isoTime: TimeText = at => new Date(at).toISOString()

/** "told by the phone at 16:36:37": from whom it is known, and when that was. Undefined for what the answer itself says. */
export const toldBy = ({ source, at }: Pick<KnownStep, 'source' | 'at'>, time: TimeText): string | undefined => {
  if (source === undefined || source === 'result') return undefined
  const when = at === undefined ? '' : ` at ${time(at)}`
  return source === 'progress' ? `recorded${when} as it ended` : `${TOLD[source]}${when}`
}

/** "told by the phone at 16:36:37, 7.7 s after it was sent": by whom the whole is decided, where its answer never came. */
export const decidedBy = ({ evidence, dispatchedAt }: Receipt, time: TimeText): string | undefined => {
  if (evidence?.outcome === undefined) return undefined
  const { source, at } = evidence
  if (source === 'progress') return 'by what svc had recorded of each step as it ended'
  const later = dispatchedAt === undefined ? '' : `, ${duration(at - dispatchedAt)} after it was sent`
  return `${toldBy(evidence, time)}${later}`
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
