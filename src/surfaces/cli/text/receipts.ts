/** Receipts for people: one sentence that says whether it happened, and its times. */

import { onlyLooks } from '../../../contracts/actions/cards.ts'
import type { Trace } from '../../../contracts/doors/viewer.ts'
import { duration } from '../../../contracts/duration.ts'
import { titleFrom } from '../../../contracts/executions/action-words.ts'
import type { EvidencedOutcome, StepOutcome } from '../../../contracts/executions/evidence.ts'
import { isInDoubt } from '../../../contracts/executions/in-doubt.ts'
import type { Receipt } from '../../../contracts/executions/receipt.ts'
import { MAY_HAVE_RUN, stepWords } from '../../../contracts/executions/step-words.ts'
import { failureText } from './failure.ts'
import { counted, type Fact, facts, headline, lines, table } from './layout.ts'
import { type Page, SIGNS, type SignName } from './page.ts'
import { sentenceOf } from './receipt-sentence.ts'
import { observedScreen, stepSentence } from './step.ts'
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

const isFiltered = ({ given }: Page): boolean => ['command', 'task', 'skill-run', 'outcome', 'device'].some(given.isOn)

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
const outcomesOf = ({ time }: Page, receipt: Receipt): AskedOutcome[] => {
  const { actions = [] } = receipt
  const known = { ...receipt, steps: receipt.steps ?? knownSteps(receipt) }
  return actions.flatMap((action, position) => {
    const step = known.steps[position]
    if (!step) return []
    const words = stepWords(step, { position, receipt: known, time })
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
    outcomesOf(page, receipt),
  )
}

/** When svc knew no more of it: that need not be when the device was done. */
const endOf = (page: Page, receipt: Receipt): Fact => {
  const { state, settledAt, dispatchedAt, result } = receipt
  if (settledAt === undefined) return ['Ended', undefined]
  const at = page.time(settledAt)
  if (state === 'interrupted') return ['Interrupted', `${at}, when the svc process that ran it was found to be gone`]
  const isKnown = result?.ok !== false || result.error.details?.inDoubt === false
  if (isKnown || dispatchedAt === undefined) return ['Ended', at]
  return ['Answered', isOvertaken(receipt) ? `${at}, with ${result.error.code}: its end was not known yet` : at]
}

const timesOf = (page: Page, receipt: Receipt): Fact[] => {
  const { accepted, acceptedAt, dispatchedAt, waitedMs } = receipt
  return [
    [accepted === false ? 'Waited from' : 'Accepted', page.time(acceptedAt)],
    ['Waited', waitedMs === undefined ? undefined : duration(waitedMs)],
    ['Sent', dispatchedAt === undefined ? undefined : page.time(dispatchedAt)],
    endOf(page, receipt),
  ]
}

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
