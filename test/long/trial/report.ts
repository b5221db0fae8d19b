/** A trial that broke a law, as a person reads it: how to repeat it, what broke, and everything that happened in order. */
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import type { Violation } from './laws.ts'
import type { Plan } from './plan.ts'
import type { Timeline } from './timeline.ts'

interface Line {
  at: number
  text: string
}

const askLines = ({ asks }: Timeline): Line[] =>
  asks.flatMap(({ command, surface, serial, key, server, began, ended, answer }) => {
    const to = server ? `server ${server.index}.${server.life}` : surface
    const { kind, claim, code = '', executionId = '', message = '' } = answer
    return [
      { at: began, text: `${command} asked of ${serial} by ${to}${key ? ' with a key' : ''}` },
      {
        at: ended,
        text: `${command} ${kind} by ${to} after ${ended - began} ms: ${claim} ${code} ${executionId} ${message}`,
      },
    ]
  })

const receiptLines = ({ receipts }: Timeline): Line[] =>
  receipts.flatMap(({ commandId, executionId, state, acceptedAt, dispatchedAt, settledAt, result }) => {
    const error = result?.ok === false ? `${result.error.code} ${JSON.stringify(result.error.details)}` : 'ok'
    const dispatched = dispatchedAt === undefined ? [] : [{ at: dispatchedAt, text: `${commandId} dispatched` }]
    const settled = settledAt === undefined ? [] : [{ at: settledAt, text: `${commandId} ${state}: ${error}` }]
    const open = settledAt === undefined ? ` (in the end: ${state}, ${error})` : ''
    return [{ at: acceptedAt, text: `${commandId} accepted as ${executionId}${open}` }, ...dispatched, ...settled]
  })

const phoneLines = ({ phones }: Timeline): Line[] =>
  phones.flatMap(({ serial, requests }) =>
    requests.flatMap(({ wireId, way, at, finishedAt }) => [
      { at, text: `phone ${serial} got ${wireId} by ${way}` },
      ...(finishedAt === undefined ? [] : [{ at: finishedAt, text: `phone ${serial} finished ${wireId}` }]),
    ]),
  )

export const linesOf = (timeline: Timeline): string[] => {
  const deaths = timeline.deaths.map(({ at, pid, what, signal }) => ({
    at,
    text: `ENDED ${pid} by ${signal}: ${what}`,
  }))
  const suffered = timeline.suffered.flatMap(({ at, until, kind, what }) => [
    { at, text: `SUFFERS ${kind}: ${what}` },
    { at: until, text: `is over: ${kind}: ${what}` },
  ])
  const touches = timeline.touches.map(({ at, phone, line }) => ({ at, text: `phone ${phone} is sent ${line}` }))
  const told = [...askLines(timeline), ...receiptLines(timeline)]
  const lines = [...told, ...phoneLines(timeline), ...touches, ...deaths, ...suffered]
  const first = Math.min(...lines.map(({ at }) => at))
  return lines.sort((a, b) => a.at - b.at).map(({ at, text }) => `${String(at - first).padStart(6)} ${text}`)
}

const tapsOf = ({ phones }: Timeline): string[] =>
  phones.map(({ serial, taps }) => {
    const done = Object.entries(taps).filter(([, count]) => count > 0)
    return `${serial} did ${done.map(([command, count]) => `${command} x${count}`).join(', ')}`
  })

const eventsOf = ({ events }: Timeline): string =>
  events.map(({ listener, id, event, command }) => `${listener}:${id} ${event} ${command}`).join('; ')

export const reportOf = (plan: Plan, violations: readonly Violation[], timeline: Timeline): string =>
  [
    `SVC_SEED=${plan.seed}, trial ${plan.trial}: npm run test:long -- chaos -t 'trial ${plan.trial}$'`,
    ...violations.map(({ law, about, says }) => `law ${law}: ${about}: ${says}`),
    `plan: ${JSON.stringify(plan)}`,
    ...linesOf(timeline),
    ...tapsOf(timeline),
    `events: ${eventsOf(timeline)}`,
  ].join('\n')

const tally = (names: readonly string[]): string =>
  [...new Set(names)]
    .sort()
    .map(name => `${name} ${names.filter(one => one === name).length}`)
    .join(', ')

/** What a run went through: a law that was never put to the test is not kept. */
export const summaryOf = (timelines: readonly Timeline[]): string => {
  const receipts = timelines.flatMap(timeline => timeline.receipts)
  const sent = ({ dispatchedAt }: Receipt) => (dispatchedAt === undefined ? 'unsent' : 'sent')
  const kindOf = (what: string) => what.split(' ')[0] ?? ''
  const ended = timelines.flatMap(({ deaths }) => deaths.map(({ signal, what }) => `${signal} ${kindOf(what)}`))
  const internal = timelines
    .flatMap(({ asks }) => asks)
    .flatMap(({ surface, answer: { code, message } }) => (code === 'INTERNAL_ERROR' ? [`${surface}: ${message}`] : []))
  const lacks = [...new Set(timelines.flatMap(one => one.lacks))]
  return [
    `trials in: ${tally(timelines.map(({ setting }) => setting))}`,
    `asked by: ${tally(timelines.flatMap(({ asks }) => asks.map(({ surface }) => surface)))}`,
    `told: ${tally(timelines.flatMap(({ asks }) => asks.map(({ answer }) => answer.code ?? answer.claim)))}`,
    `ended: ${tally(ended)}`,
    `suffered: ${tally(timelines.flatMap(({ suffered }) => suffered.map(({ kind }) => kind)))}`,
    `receipts: ${tally(receipts.map(receipt => `${receipt.state}-${sent(receipt)}`))}`,
    ...(internal.length > 0 ? [`internal errors: ${tally(internal)}`] : []),
    ...(lacks.length > 0 ? [`this machine lacks: ${lacks.join('; ')}`] : []),
  ].join('\n')
}
