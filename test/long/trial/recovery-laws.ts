/** What must hold after a death: keys are answered at once, devices are free, nothing stays open, events come once. */
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import { AT_ONCE_MS, FREE_AFTER_CONTAINER_MS, FREE_WITHIN_MS } from './bounds.ts'
import { heldUpMs, receiptsOf, type Violation } from './laws.ts'
import type { Ask, OutcomeEvent, Timeline } from './timeline.ts'

/** Whether all who can have accepted it were dead when it was asked for again. */
const ownersWereDead = (timeline: Timeline, again: Ask, { acceptedAt }: Receipt): boolean => {
  const before = timeline.asks.filter(({ key, began }) => key === again.key && began <= acceptedAt)
  const isDead = ({ server }: Ask) =>
    timeline.deaths.some(
      death => death.at < again.began && death.server?.index === server?.index && death.server?.life === server?.life,
    )
  return before.length > 0 && before.every(isDead)
}

const expectedCode = ({ state, result }: Receipt): string | undefined => {
  if (state === 'interrupted') return 'EXECUTION_INTERRUPTED'
  return result?.ok === false ? result.error.code : undefined
}

const repeatProblems = (timeline: Timeline, again: Ask): string[] => {
  const [receipt, second] = receiptsOf(timeline, again.command)
  if (second) return ['one key was accepted twice']
  // The times of the journal are of a clock that was moved.
  if (timeline.setting === 'clock') return []
  if (!receipt || receipt.acceptedAt >= again.began) return []
  const wasOver = receipt.state === 'settled' && (receipt.settledAt ?? Number.POSITIVE_INFINITY) < again.began
  if (!wasOver && !ownersWereDead(timeline, again, receipt)) return []
  const { kind, claim, code } = again.answer
  const took = again.ended - again.began
  const where = `server ${again.server?.index}, life ${again.server?.life}`
  const atOnceMs = AT_ONCE_MS + heldUpMs(timeline, again.began, again.ended)
  const late = took > atOnceMs && kind !== 'broken' ? [`asked again, ${where} took ${took} ms`] : []
  if (kind !== 'answered' || claim === 'did') return late
  const expected = expectedCode(receipt)
  const isFailedEnvelope = receipt.result?.ok === true && receipt.result.envelope.status !== 'success'
  if (isFailedEnvelope || code === expected) return late
  return [...late, `asked again, ${where} said ${code} where its receipt has ${expected ?? 'success'}`]
}

export const keysRunOnce = (timeline: Timeline): Violation[] => {
  const keyed = timeline.asks.filter(({ key, server }) => key !== undefined && server !== undefined)
  const said = keyed.flatMap(again =>
    repeatProblems(timeline, again).map((says): Violation => ({ law: 5, about: again.command, says })),
  )
  return said.filter((one, index) => said.findIndex(o => o.about === one.about && o.says === one.says) === index)
}

export const freeWithinMs = ({ setting }: Pick<Timeline, 'setting'>): number =>
  setting === 'container' ? FREE_AFTER_CONTAINER_MS : FREE_WITHIN_MS

export const devicesAreFree = ({ revivals, receipts, setting }: Timeline): Violation[] => [
  ...revivals
    .filter(({ began, succeeded = Number.POSITIVE_INFINITY }) => succeeded - began > freeWithinMs({ setting }))
    .map(({ serial, last }): Violation => ({ law: 6, about: serial, says: `still not usable, at last: ${last}` })),
  ...receipts
    .filter(({ state }) => state !== 'settled' && state !== 'interrupted')
    .map(({ commandId, state }): Violation => ({ law: 6, about: commandId, says: `its receipt stays ${state}` })),
]

const timesProblem = (count: number, expected: number, what: string) =>
  count === expected ? [] : [`${what} came ${count} times, not ${expected}`]

const isTold = ({ server }: Ask) => server !== undefined

export const eventsOnce = (timeline: Timeline): Violation[] => {
  const commands = [...new Set(timeline.asks.map(({ command }) => command))]
  return commands.flatMap(about => {
    const asks = timeline.asks.filter(({ command }) => command === about)
    const receipts = receiptsOf(timeline, about)
    const listeners = new Set(asks.filter(isTold).flatMap(({ server }) => server?.index ?? []))
    // A probe may have been asked for both over a server and by a process of its own.
    if (listeners.size > 0 && !asks.every(isTold)) return []
    // A host that is stopping refuses what it has named already.
    const isAccepted = ({ executionId }: OutcomeEvent) =>
      executionId === undefined || receipts.some(receipt => receipt.executionId === executionId)
    const told = timeline.events.filter(one => one.command === about && !one.isRefusal && isAccepted(one))
    const expected = listeners.size === 0 ? [] : receipts
    const named = (event: string) => told.filter(one => one.event === event).length
    const problems = [
      ...timesProblem(named('svc:execution'), expected.length, 'svc:execution'),
      ...timesProblem(named('svc:result'), expected.filter(({ result }) => result?.ok).length, 'svc:result'),
      ...told
        .filter(({ listener }) => listeners.size > 0 && !listeners.has(listener))
        .map(({ listener }) => `told by server ${listener}, which was never asked`),
    ]
    return problems.map((says): Violation => ({ law: 8, about, says }))
  })
}
