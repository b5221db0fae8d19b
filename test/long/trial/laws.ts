/** What the phone did, what the receipts say and what the callers were told must be one story. */
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import { type Claim, claimOfError } from './answer.ts'
import { answerWithin } from './bounds.ts'
import type { Ask, Timeline } from './timeline.ts'

export interface Violation {
  law: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
  about: string
  says: string
}

export const claimOfReceipt = ({ dispatchedAt, state, result }: Receipt): Claim => {
  if (result?.ok) return result.envelope.status === 'success' ? 'did' : 'doubt'
  if (result) return claimOfError(result.error)
  return dispatchedAt === undefined && (state === 'settled' || state === 'interrupted') ? 'did-not' : 'doubt'
}

const executionOf = (wireId: string) => wireId.replace(/\.\d+$/, '')

/** Of a command on all phones: it is asked of one only. */
export const tapsOf = ({ phones }: Timeline, command: string): number =>
  phones.reduce((sum, { taps }) => sum + (taps[command] ?? 0), 0)

const commandsOf = ({ asks }: Timeline) => [...new Set(asks.map(({ command }) => command))]
const asksOf = ({ asks }: Timeline, command: string) => asks.filter(one => one.command === command)
export const receiptsOf = ({ receipts }: Timeline, command: string): Receipt[] =>
  receipts.filter(({ commandId }) => commandId === command)

export const onceOnThePhone = (timeline: Timeline): Violation[] => {
  const wires = timeline.phones.flatMap(({ requests }) => requests.map(({ wireId }) => wireId))
  const twice = [...new Set(wires.filter((id, index) => wires.indexOf(id) !== index))]
  return [
    ...twice.map((id): Violation => ({ law: 1, about: id, says: 'the phone got this request more than once' })),
    ...commandsOf(timeline)
      .filter(command => tapsOf(timeline, command) > 1)
      .map((about): Violation => ({ law: 1, about, says: `the phone did it ${tapsOf(timeline, about)} times` })),
  ]
}

const answerProblems = (asks: readonly Ask[], taps: number, accepted: readonly string[]): string[] => {
  const isAnswered = asks.filter(({ answer }) => answer.kind === 'answered')
  const told = (claim: Claim) => isAnswered.find(({ answer }) => answer.claim === claim)
  // A refusal speaks of its own request; a key may have been used before it, or after. One that names an execution that was
  // accepted speaks of that.
  const allDenied = asks.every(({ answer }) => answer.claim === 'did-not')
  const speaks = ({ executionId = '' }: Ask['answer']) => allDenied || accepted.includes(executionId)
  const denial = isAnswered.find(({ answer }) => answer.claim === 'did-not' && speaks(answer))
  return [
    ...(told('did') && taps === 0 ? ['a caller was told that it succeeded, and the phone did nothing'] : []),
    ...(denial && taps > 0 ? [`a caller was told ${denial.answer.code}, nothing happened, and the phone did it`] : []),
  ]
}

export const answersAreTrue = (timeline: Timeline): Violation[] =>
  commandsOf(timeline).flatMap(about => {
    const asks = asksOf(timeline, about)
    const receipts = receiptsOf(timeline, about)
    const claims = receipts.map(claimOfReceipt)
    const accepted = receipts.map(({ executionId }) => executionId)
    const taps = tapsOf(timeline, about)
    const wasTold = asks.some(({ answer }) => answer.claim === 'did')
    const problems = [
      ...answerProblems(asks, taps, accepted),
      ...(claims.includes('did') && taps === 0 ? ['its receipt says success, and the phone did nothing'] : []),
      ...(wasTold && !claims.includes('did') ? ['a caller was told that it succeeded, and no receipt says so'] : []),
    ]
    return problems.map((says): Violation => ({ law: 2, about, says }))
  })

const isUnsent = (receipt: Receipt) => receipt.dispatchedAt === undefined || claimOfReceipt(receipt) === 'did-not'

export const unsentIsUndone = (timeline: Timeline): Violation[] => {
  const seen = new Set(timeline.phones.flatMap(({ requests }) => requests.map(({ wireId }) => executionOf(wireId))))
  return timeline.receipts.flatMap(receipt => {
    const { commandId: about, executionId, state } = receipt
    if (!isUnsent(receipt)) return []
    const others = receiptsOf(timeline, about).filter(one => one !== receipt && !isUnsent(one))
    const isDone = seen.has(executionId) || (others.length === 0 && tapsOf(timeline, about) > 0)
    const says = `its receipt (${state}) says that nothing was sent, and the phone had it`
    return isDone ? [{ law: 3, about, says }] : []
  })
}

export const doneIsRecorded = (timeline: Timeline): Violation[] => {
  const dispatched = (receipt: Receipt) => receipt.dispatchedAt !== undefined
  const known = new Set(timeline.receipts.filter(dispatched).map(({ executionId }) => executionId))
  const strange = timeline.phones
    .flatMap(({ requests }) => requests.map(({ wireId }) => wireId))
    .filter(wireId => !known.has(executionOf(wireId)))
  const unrecorded = commandsOf(timeline).filter(
    command => tapsOf(timeline, command) > 0 && !receiptsOf(timeline, command).some(dispatched),
  )
  return [
    ...strange.map(
      (about): Violation => ({ law: 4, about, says: 'no dispatched receipt for a request the phone got' }),
    ),
    ...unrecorded.map((about): Violation => ({ law: 4, about, says: 'no dispatched receipt for what the phone did' })),
    ...timeline.receipts.flatMap((receipt): Violation[] => {
      const { result, state, commandId: about } = receipt
      const said = result?.ok === false ? (result.error.details?.dispatched as boolean | undefined) : undefined
      if (state !== 'interrupted' || said === dispatched(receipt)) return []
      return [{ law: 4, about, says: `interrupted with dispatched: ${said}, dispatchedAt ${receipt.dispatchedAt}` }]
    }),
  ]
}

/** For so long of a time something stood still, was cut off or was not there. */
export const heldUpMs = ({ suffered }: Timeline, from: number, to: number): number =>
  suffered.reduce((sum, { at, until }) => sum + Math.max(0, Math.min(until, to) - Math.max(at, from)), 0)

export const everyCallerIsAnswered = (timeline: Timeline): Violation[] =>
  timeline.asks
    .filter(({ began, ended, timeoutMs, answer }) => {
      const latest = answerWithin(timeoutMs) + heldUpMs(timeline, began, ended)
      return answer.kind === 'hung' || ended - began > latest
    })
    .map(({ command, surface, began, ended, timeoutMs, answer }) => ({
      law: 7,
      about: command,
      says: `by ${surface} with timeoutMs ${timeoutMs}: ${answer.kind} after ${ended - began} ms`,
    }))

/** Replaying is what was lived; whoever is dead owns nothing any more. */
export const journalHolds = ({ unlike, leases }: Timeline): Violation[] => [
  ...unlike.map((says): Violation => ({ law: 9, about: 'the journal', says })),
  ...leases.map(
    (says): Violation => ({ law: 6, about: 'a lease', says: `it is held when nobody is at work: ${says}` }),
  ),
]
