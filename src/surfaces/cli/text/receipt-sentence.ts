/** The sentence that a receipt begins with: did my tap happen? Where the execution was cut off, also where it stopped and how to go on. */
import { duration } from '../../../contracts/duration.ts'
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import { isInDoubt } from '../../../contracts/executions/in-doubt.ts'
import type { Receipt } from '../../../contracts/executions/receipt.ts'
import { decidedBy } from '../../../contracts/executions/told-by.ts'
import { counted } from './layout.ts'
import type { Page } from './page.ts'
import { stepSentence } from './step.ts'

/** A sentence names so many steps. */
const NAMED_MAX = 3

/** `steps "a", "b"` */
const stepsNamed = (ids: readonly string[]): string => {
  const rest = ids.length - NAMED_MAX
  const named = ids.slice(0, NAMED_MAX).map(id => JSON.stringify(id))
  return `${ids.length === 1 ? 'step' : 'steps'} ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** Where nothing failed: the step that the end of the host cut off, and those behind it. */
const cutOff = ({ steps = [], doubtfulSteps = [] }: Receipt): string => {
  const cut = steps.filter(({ outcome }) => outcome === 'unknown').map(({ id }) => id)
  const unrun = steps.filter(({ outcome }) => outcome === 'not_run').map(({ id }) => id)
  const isHarmless = cut.length > 0 && !cut.some(id => doubtfulSteps.includes(id))
  const stopped = isHarmless ? [`it stopped at ${stepsNamed(cut)}, which changes nothing`] : []
  const rest = unrun.length === 0 ? [] : [`${stepsNamed(unrun)} did not run`]
  const text = [...stopped, ...rest].join('; ')
  return text === '' ? '' : ` ${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

const goOn = ({ executionId, resumedBy, doubtfulSteps = [] }: Receipt): string =>
  resumedBy === undefined && doubtfulSteps.length === 0 ? ` Go on: svc executions resume ${executionId}` : ''

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const namedStep = (id: string): string => `step ${JSON.stringify(id)}`

/** The answer where none came at first, and the phone told the rest. */
const evidencedSentence = ({ time }: Page, receipt: Receipt): string | undefined => {
  const { evidence: { outcome } = {}, deviceId, steps = [], actions = [] } = receipt
  const told = decidedBy(receipt, time)
  if (told === undefined) return undefined
  if (outcome === 'not_sent') return `No: nothing was sent to ${deviceId}, ${told}.`
  const title = steps.length === 1 ? actions[0]?.title : undefined
  if (outcome === 'done') {
    const all = title === undefined ? 'all of it' : lowered(title)
    return `Yes: ${steps.length > 1 ? `all ${counted(steps.length, 'step')}` : all} on ${deviceId}, ${told}.`
  }
  const done = steps.filter(step => step.outcome === 'done').length
  const failed = steps.find(step => step.outcome === 'failed')
  if (done === 0) {
    const what =
      failed === undefined ? 'no step that acts was done' : `${title ? lowered(title) : namedStep(failed.id)} failed`
    return `No: ${what} on ${deviceId}, ${told}.${failed === undefined ? `${cutOff(receipt)}${goOn(receipt)}` : ''}`
  }
  const ran = `In part: ${done} of ${counted(steps.length, 'step')} succeeded on ${deviceId}`
  if (failed !== undefined) return `${ran}, and ${namedStep(failed.id)} failed, ${told}.`
  return `${ran}, ${told}.${cutOff(receipt)}${goOn(receipt)}`
}

/** It was sent, and ended without a result that anybody knows. */
const unansweredSentence = (receipt: Receipt, sentAt: string): string => {
  const { deviceId, runningStep, undecided, executedSteps = [], doubtfulSteps = [], actions = [], state } = receipt
  const why = undecided === undefined ? '' : `: ${undecided}`
  if (runningStep !== undefined)
    return `Not yet: ${deviceId} is still at work on it, at ${namedStep(runningStep)}; it was sent at ${sentAt}. Look again for its end: svc executions show ${receipt.executionId} --wait 60000`
  if (isInDoubt(receipt) && executedSteps.length > 0 && doubtfulSteps.length > 0 && actions.length > 0)
    return `In part at least: ${executedSteps.length} of ${counted(actions.length, 'step')} succeeded on ${deviceId}, and ${stepsNamed(doubtfulSteps)} may have run. It was sent at ${sentAt}, and no result is known${why}.`
  if (isInDoubt(receipt))
    return `It may have happened: it was sent to ${deviceId} at ${sentAt}, and no result is known${why}.`
  const end = state === 'interrupted' ? 'the svc process that ran it ended before a result came' : 'no result came'
  const ran =
    executedSteps.length > 0 ? `In part: ${counted(executedSteps.length, 'step')} on ${deviceId}, and then` : 'No:'
  return `${ran} ${end}. What else may have run changes nothing on the device${why}.`
}

/** The answer to "did my tap happen?". */
export const sentenceOf = (page: Page, receipt: Receipt): string => {
  const { result, dispatchedAt, settledAt, acceptedAt, deviceId, accepted, state, waitedMs } = receipt
  const when = (at: number) => `${page.time(at)} (${page.ago(at)})`
  if (state === 'waiting') return `Not yet: it has waited for ${deviceId} since ${when(acceptedAt)}.`
  if (accepted === false) {
    const waited = waitedMs === undefined ? '' : ` after it had waited ${duration(waitedMs)}`
    return `No: it left the queue of ${deviceId}${waited}, and nothing was sent.`
  }
  if (dispatchedAt === undefined) {
    return settledAt === undefined && state === 'accepted'
      ? `Not yet: ${deviceId} took it at ${when(acceptedAt)}, and nothing was sent so far.`
      : `No: nothing was sent to ${deviceId}.`
  }
  if (settledAt === undefined && state === 'dispatched' && receipt.undecided === undefined) {
    return `It was sent to ${deviceId} at ${when(dispatchedAt)}, and no answer has come so far.`
  }
  const evidenced = evidencedSentence(page, receipt)
  if (evidenced) return evidenced
  const took = settledAt === undefined ? '' : ` and took ${duration(settledAt - dispatchedAt)}`
  if (!result?.ok) return unansweredSentence(receipt, when(dispatchedAt))
  const { status, stepResults } = result.envelope
  const sent = `It was sent at ${when(dispatchedAt)}${took}.`
  const [first, second] = stepResults
  const only = first && !second ? (titleIn(receipt, first) ?? stepSentence(first)) : undefined
  const what = only === undefined ? `all ${counted(stepResults.length, 'step')}` : lowered(only)
  if (status === 'success') return `Yes: ${what} on ${deviceId}. ${sent}`
  const done = stepResults.filter(({ success }) => success).length
  if (done === 0) return `No: it failed on ${deviceId}, and no step succeeded. ${sent}`
  const happened = receipt.actions ? `${done} of ${receipt.actions.length} steps` : counted(done, 'step')
  return `In part: ${happened} succeeded on ${deviceId}, and the next one failed. ${sent}`
}

/** The answers to these do not say which node or point was meant. */
const TITLED = ['click', 'double_tap', 'swipe', 'scroll_until', 'scroll_and_click', 'wait_for_node']

const titleIn = ({ actions = [] }: Receipt, { actionType }: StepResult): string | undefined =>
  TITLED.includes(actionType) ? actions[0]?.title : undefined
