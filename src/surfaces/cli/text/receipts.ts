/** Receipts for people: one sentence that says whether it happened, and its times. */

import { onlyLooks } from '../../../contracts/actions/cards.ts'
import type { Trace } from '../../../contracts/doors/viewer.ts'
import { duration } from '../../../contracts/duration.ts'
import { titleFrom } from '../../../contracts/executions/action-words.ts'
import type { EvidencedOutcome, StepOutcome } from '../../../contracts/executions/evidence.ts'
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import { isInDoubt } from '../../../contracts/executions/in-doubt.ts'
import type { Receipt } from '../../../contracts/executions/receipt.ts'
import { MAY_HAVE_RUN, stepWords, toldBy } from '../../../contracts/executions/step-words.ts'
import { cutOff, goOn } from './cut-off.ts'
import { failureText } from './failure.ts'
import { counted, type Fact, facts, headline, lines, table } from './layout.ts'
import { type Page, SIGNS, type SignName } from './page.ts'
import { observedScreen } from './screen.ts'
import { stepSentence } from './step.ts'
import { safe, visible, withLabels } from './visible.ts'

type Outcome = readonly [sign: SignName, word: string]

const errorOf = ({ result }: Receipt) => (result?.ok ? result.envelope.error : result?.error)

/** More is known than what its caller was answered: how it ended, or that it runs. */
const isOvertaken = ({ result, evidence, runningStep }: Receipt): boolean =>
  result?.ok === false && (evidence?.outcome !== undefined || runningStep !== undefined)

const EVIDENCED = {
  done: ['ok', 'done'],
  failed: ['failed', 'failed'],
  not_sent: ['failed', 'not sent'],
} as const satisfies Record<EvidencedOutcome, Outcome>

const outcomeOf = (receipt: Receipt): Outcome => {
  const { state, accepted, dispatchedAt, result, evidence, runningStep, undecided } = receipt
  if (state === 'waiting') return ['warning', 'waiting']
  if (accepted === false) return ['failed', 'not accepted']
  if (result?.ok && result.envelope.status === 'success') return ['ok', 'done']
  if (state === 'dispatched' && undecided !== undefined) return ['unknown', 'in doubt']
  if (state === 'accepted' || state === 'dispatched') return ['warning', 'running']
  if (dispatchedAt === undefined) return ['failed', 'not sent']
  if (result?.ok) return ['failed', 'failed']
  if (evidence?.outcome) return EVIDENCED[evidence.outcome]
  if (runningStep !== undefined) return ['open', 'running']
  return isInDoubt(receipt) ? ['unknown', 'in doubt'] : ['failed', 'interrupted']
}

const STYLES = { ok: 'green', failed: 'red', warning: 'yellow', unknown: 'yellow', open: 'yellow' } as const

const stepsOf = (receipt: Receipt): string => {
  const { result } = receipt
  const title = titleFrom(receipt.actions ?? [], action => action.title ?? action.type)
  const error = isOvertaken(receipt) ? undefined : errorOf(receipt)
  if (error) return title ? `${title}: ${error.code}` : error.code
  if (title) return title
  const steps = result?.ok ? result.envelope.stepResults : []
  const [first] = steps
  if (!first) return ''
  return steps.length > 1 ? counted(steps.length, 'step') : stepSentence(first)
}

const tookMs = ({ acceptedAt, settledAt }: Receipt): number | undefined =>
  settledAt === undefined ? undefined : settledAt - acceptedAt

const isFiltered = ({ given }: Page): boolean => ['command', 'task', 'skill-run', 'device'].some(given.isOn)

export const receiptsText = (page: Page, { executions }: { executions: readonly Receipt[] }): string => {
  if (executions.length === 0) return isFiltered(page) ? 'No execution matches.' : 'No execution is on record.'
  return table<Receipt>(
    page,
    [
      { title: 'execution', cell: ({ executionId }) => executionId },
      {
        title: 'outcome',
        cell: receipt =>
          outcomeOf(receipt)
            .map((part, at) => (at === 0 ? SIGNS[part as SignName] : part))
            .join(' '),
        style: receipt => STYLES[outcomeOf(receipt)[0]],
      },
      { title: 'when', cell: ({ acceptedAt }) => page.ago(acceptedAt), leaveOut: 2 },
      { title: 'took', cell: receipt => durationOf(tookMs(receipt)), align: 'right', leaveOut: 4 },
      { title: 'device', cell: ({ deviceId, host }) => (host ? `${deviceId}@${host}` : deviceId), leaveOut: 3 },
      { title: 'what', cell: stepsOf, leaveOut: 1, atLeast: 16 },
      { title: 'command', cell: ({ commandId }) => commandId, leaveOut: 5 },
    ],
    executions,
  )
}

const durationOf = (ms: number | undefined): string => (ms === undefined ? '' : duration(ms))

const listed = (steps: readonly string[] | undefined): string | undefined =>
  steps === undefined || steps.length === 0 ? undefined : steps.join(', ')

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const namedStep = (id: string): string => `step ${JSON.stringify(id)}`

/** The answer where none came at first, and the phone told the rest. */
const evidencedSentence = (receipt: Receipt): string | undefined => {
  const { evidence, deviceId, steps = [], actions = [] } = receipt
  const { outcome } = evidence ?? {}
  if (!evidence || outcome === undefined) return undefined
  const told = evidence.source === 'progress' ? 'as was told step by step' : toldBy(evidence, receipt)
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
    return `No: ${what} on ${deviceId}, ${told}.`
  }
  const ran = `In part: ${done} of ${counted(steps.length, 'step')} succeeded on ${deviceId}`
  if (failed !== undefined) return `${ran}, and ${namedStep(failed.id)} failed, ${told}.`
  return `${ran}, ${told}.${cutOff(receipt)}${goOn(receipt)}`
}

/** It was sent, and ended without a result that anybody knows. */
const unansweredSentence = (receipt: Receipt, sentAt: string): string => {
  const { deviceId, runningStep, undecided, executedSteps = [], state } = receipt
  const why = undecided === undefined ? '' : `: ${undecided}`
  if (runningStep !== undefined)
    return `Not yet: ${deviceId} is still at work on it, at ${namedStep(runningStep)}; it was sent at ${sentAt}. Look again for its end: svc executions show ${receipt.executionId} --wait 60000`
  if (isInDoubt(receipt))
    return `It may have happened: it was sent to ${deviceId} at ${sentAt}, and no result is known${why}.`
  const end = state === 'interrupted' ? 'its host ended' : 'it was ended'
  const ran =
    executedSteps.length > 0 ? `In part: ${counted(executedSteps.length, 'step')} on ${deviceId}, and then` : 'No:'
  return `${ran} ${end} before a result came. What else may have run changes nothing on the device${why}.`
}

/** The answer to "did my tap happen?". */
const sentenceOf = (page: Page, receipt: Receipt): string => {
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
  const evidenced = evidencedSentence(receipt)
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

type Asked = NonNullable<Receipt['actions']>[number]
type AskedOutcome = Asked & { outcome: Outcome }

const STEP_SIGNS = { done: 'ok', failed: 'failed', not_run: 'open', unknown: 'unknown' } as const satisfies Record<
  StepOutcome,
  SignName
>

/** Receipts of older hosts of a fleet do not tell their steps. */
const knownSteps = (receipt: Receipt): NonNullable<Receipt['steps']> => {
  const { actions = [], result, executedSteps = [], doubtfulSteps = [] } = receipt
  const results = result?.ok ? result.envelope.stepResults : []
  const outcomeOfStep = (id: string, type: string): StepOutcome => {
    const step = results.find(one => one.id === id)
    if (step) return step.success ? 'done' : 'failed'
    if (executedSteps.includes(id)) return 'done'
    return doubtfulSteps.includes(id) || (!result?.ok && onlyLooks(type)) || !result ? 'unknown' : 'not_run'
  }
  return actions.map(({ id, type }) => ({ id, actionType: type, outcome: outcomeOfStep(id, type) }))
}

/** The steps in their order, each with its outcome. */
const outcomesOf = (receipt: Receipt): AskedOutcome[] => {
  const { actions = [] } = receipt
  const known = { ...receipt, steps: receipt.steps ?? knownSteps(receipt) }
  return actions.flatMap((action, position) => {
    const step = known.steps[position]
    if (!step) return []
    const words = stepWords(step, position, known)
    const isMere = step.outcome === 'unknown' && words !== MAY_HAVE_RUN
    return [{ ...action, outcome: [isMere ? 'open' : STEP_SIGNS[step.outcome], words] }]
  })
}

/** The steps that were asked for, each with its outcome; a single step is in the sentence. */
const stepsText = (page: Page, receipt: Receipt): string | undefined => {
  const { actions = [] } = receipt
  if (actions.length < 2) return undefined
  return table<AskedOutcome>(
    page,
    [
      { title: '', cell: ({ outcome: [sign] }) => SIGNS[sign], style: ({ outcome: [sign] }) => STYLES[sign] },
      { title: 'step', cell: ({ id }) => id, leaveOut: 1 },
      { title: 'what', cell: ({ title, type }) => title ?? type, atLeast: 16 },
      { title: 'outcome', cell: ({ outcome: [, word] }) => word },
    ],
    outcomesOf(receipt),
  )
}

const timesOf = (page: Page, { accepted, acceptedAt, dispatchedAt, settledAt, waitedMs, state }: Receipt): Fact[] => [
  [accepted === false ? 'Waited from' : 'Accepted', page.time(acceptedAt)],
  ['Waited', waitedMs === undefined ? undefined : duration(waitedMs)],
  ['Sent', dispatchedAt === undefined ? undefined : page.time(dispatchedAt)],
  [state === 'interrupted' ? 'Interrupted' : 'Ended', settledAt === undefined ? undefined : page.time(settledAt)],
]

interface ShownReceipt {
  execution: Receipt
  /** Where the execution only looks. */
  actedBefore?: Receipt
}

const actedText = (page: Page, acted: Receipt): string =>
  headline(
    page,
    outcomeOf(acted)[0],
    withLabels(
      visible(
        `This one only looks. Before it, ${acted.executionId} of the same task acted. ${sentenceOf(page, acted)}`,
      ),
    ),
  )

export const receiptText = (page: Page, { execution, actedBefore }: ShownReceipt): string => {
  const error = errorOf(execution)
  const { result, runningStep } = execution
  const answered = isOvertaken(execution) && execution.state === 'settled' ? error : undefined
  const rows: Fact[] = [
    ['Execution', execution.executionId],
    ['Command', execution.commandId],
    ['Device', execution.deviceId],
    ['Host', execution.host],
    ['Operator', execution.operatorPackage],
    ['Skill run', execution.skillRunId],
    ['Resumes', execution.resumes],
    ['Resumed by', execution.resumedBy],
    ...timesOf(page, execution),
    ['Executed', isOvertaken(execution) ? undefined : listed(execution.executedSteps)],
    ['In doubt', runningStep === undefined ? listed(execution.doubtfulSteps) : undefined],
    ['Answered', answered ? `${answered.code}, before its end was known` : undefined],
  ]
  const observed = result?.ok ? result.observed : undefined
  return lines(
    headline(page, outcomeOf(execution)[0], withLabels(visible(sentenceOf(page, execution)))),
    actedBefore && actedText(page, actedBefore),
    facts(page, rows, 2),
    stepsText(page, execution),
    error && !isOvertaken(execution) ? failureText(page, error, { executionId: null }) : undefined,
    observed && observedScreen(page, observed),
  )
}

export const cancelText = (page: Page, output: { execution: Receipt }): string => {
  const code = errorOf(output.execution)?.code
  const head =
    code === 'EXECUTION_CANCELLED'
      ? headline(page, 'ok', 'Nobody waits for it any more. An operator app may still finish what it was sent.')
      : headline(page, 'warning', 'It had ended before it could be cancelled.')
  return lines(head, receiptText(page, output))
}

interface ExportedTrace {
  kind: Trace['kind']
  id: string
  to: string
  bytes: number
}

const KILOBYTE = 1_000

export const traceText = (page: Page, { kind, id, to, bytes }: ExportedTrace): string => {
  const size = `${Math.max(1, Math.round(bytes / KILOBYTE))} KB`
  return headline(page, 'ok', safe`Wrote the ${kind === 'skill-run' ? 'skill run' : kind} ${id} to ${to} (${size})`)
}
