/** What the phones saw, what the journals say and what callers were told must be one story, whatever was broken. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { Asked, Ran, Seen, Story } from './story.ts'
import { watchersHeardAll } from './watch-law.ts'

export interface Violation {
  law: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
  about: string
  says: string
}

export const executionOf = ({ wireId }: Pick<Seen, 'wireId'>): string => wireId.replace(/\.\d+$/, '')

const distinct = <T>(list: readonly T[]): T[] => [...new Set(list)]
const twice = <T>(list: readonly T[]): T[] => distinct(list.filter((one, index) => list.indexOf(one) !== index))

/** The executions of a command that phones have seen. */
const runsOf = ({ seen, ran }: Story, command: string): string[] => {
  const ids = new Set(ran.filter(one => one.command === command).map(({ executionId }) => executionId))
  return distinct(seen.map(executionOf)).filter(id => ids.has(id))
}

const commandsOf = ({ asked }: Story) => distinct(asked.map(({ command }) => command))

/** Law 1: nothing is sent to a phone twice, and nothing that no journal knows of. */
const seenOnce = (story: Story): Violation[] => {
  const known = new Set(
    story.ran.filter(({ dispatches }) => dispatches.length > 0).map(({ executionId }) => executionId),
  )
  return [
    ...twice(story.seen.map(({ wireId }) => wireId)).map(
      (about): Violation => ({ law: 1, about, says: 'a phone got this request more than once' }),
    ),
    ...twice(story.ran.map(({ executionId }) => executionId)).map(
      (about): Violation => ({ law: 1, about, says: 'it was accepted more than once' }),
    ),
    ...distinct(story.seen.map(executionOf))
      .filter(id => !known.has(id))
      .map((about): Violation => ({ law: 1, about, says: 'a phone got it, and no journal has it as dispatched' })),
  ]
}

/** Law 2: an answer is true. */
const answersAreTrue = (story: Story): Violation[] =>
  commandsOf(story).flatMap(about => {
    const asked = story.asked.filter(({ command }) => command === about)
    const runs = runsOf(story, about)
    const did = asked.find(({ answer }) => answer.claim === 'did')
    // A refusal of a repetition speaks of the repetition, unless it names the execution.
    const speaks = ({ answer, key }: Asked) => answer.claim === 'did-not' && (key === undefined || answer.executionId)
    const denial = asked.find(speaks)
    const denied = denial && (denial.key === undefined || runs.includes(denial.answer.executionId ?? ''))
    const allDenied = asked.every(({ answer }) => answer.claim === 'did-not')
    const mayRunAgain = story.lostStoreAt !== undefined && did?.key !== undefined && runs.length > 0
    return [
      ...(did && runs.length !== 1 && !mayRunAgain
        ? [`a caller was told that it succeeded, and phones saw it ${runs.length} times`]
        : []),
      ...((denied || allDenied) && runs.length > 0
        ? [`a caller was told ${(denial ?? asked[0])?.answer.code}, nothing happened, and a phone saw it`]
        : []),
    ].map((says): Violation => ({ law: 2, about, says }))
  })

/** Law 3: what was accepted has one end, and every host says the same of it. */
const endsOnce = (story: Story): Violation[] => [
  ...story.ran
    .filter(({ ends }) => ends.length !== 1)
    .map(
      ({ executionId: about, ends }): Violation => ({
        law: 3,
        about,
        says: `it has ${ends.length} ends: ${ends.join(', ')}`,
      }),
    ),
  ...story.receipts.flatMap(({ executionId: about, own, owner, byHost }): Violation[] => {
    const isOver = own?.state === 'settled' || own?.state === 'interrupted'
    const others = Object.entries(byHost).filter(([, said]) => !isDeepStrictEqual(said, { ...own, host: owner }))
    return [
      ...(isOver ? [] : [{ law: 3 as const, about, says: `its receipt at ${owner} is ${own?.state ?? 'missing'}` }]),
      ...others.map(
        ([host, said]): Violation => ({
          law: 3,
          about,
          says: `${host} has another receipt of it than ${owner}: ${JSON.stringify(said)} for ${JSON.stringify(own)}`,
        }),
      ),
    ]
  }),
]

interface Step {
  phone: number
  of: Ran
  epoch: number
  at: number
}

const inOrder = (steps: readonly (Omit<Step, 'epoch'> & { epoch: number | undefined })[]): Step[] =>
  steps.flatMap(({ epoch, ...step }) => (epoch === undefined ? [] : [{ ...step, epoch }])).sort((a, b) => a.at - b.at)

const outOfTurn = (steps: readonly Step[], what: string): Violation[] => {
  const newest = new Map<number, Step>()
  const violations: Violation[] = []
  for (const step of steps) {
    const { phone, of, epoch } = step
    const before = newest.get(phone)
    const say = (says: string) => violations.push({ law: 4, about: of.executionId, says })
    if (before && before.epoch > epoch) {
      const { executionId, host } = before.of
      say(`of ${of.host}, epoch ${epoch}: it ${what} ${phone} after ${executionId} of ${host}, epoch ${before.epoch}`)
    }
    if (before?.epoch === epoch && before.of.host !== of.host)
      say(`${of.host} and ${before.of.host} both had epoch ${epoch} of phone ${phone}`)
    if (!before || epoch >= before.epoch) newest.set(phone, step)
  }
  return violations
}

/** Law 4: one owner at a time. What was sent under an epoch comes before all that was sent under a later one. */
const oneOwner = ({ ran, seen, networkPhones, lostStoreAt = Number.POSITIVE_INFINITY }: Story): Violation[] => {
  const isBefore = ({ at }: { at: number }) => at < lostStoreAt
  const byId = new Map(ran.map(one => [one.executionId, one]))
  const arrived = seen.flatMap(one => {
    const of = byId.get(executionOf(one))
    return of ? [{ phone: one.phone, of, epoch: of.epoch, at: one.at }] : []
  })
  const sent = ran
    .filter(({ isWithdrawn }) => !isWithdrawn)
    .flatMap(of => of.dispatches.map(at => ({ phone: of.phone, of, epoch: of.epoch, at })))
  const unowned = arrived.filter(({ phone, epoch }) => epoch === undefined && networkPhones.includes(phone))
  return [
    ...outOfTurn(inOrder(arrived.filter(isBefore)), 'reached phone'),
    ...outOfTurn(inOrder(sent.filter(isBefore)), 'was dispatched to phone'),
    ...unowned.map(({ of, phone }): Violation => {
      const says = `${of.host} acted on phone ${phone}, which others reach, too, and did not own it`
      return { law: 4, about: of.executionId, says }
    }),
  ]
}

/** Law 6: a key runs once in the whole fleet, and its answers are of that run. */
const keysRunOnce = (story: Story): Violation[] =>
  distinct(story.asked.flatMap(({ key, command }) => (key === undefined ? [] : [command]))).flatMap(about => {
    const asked = story.asked.filter(({ command }) => command === about)
    const runs = runsOf(story, about)
    const told = distinct(asked.flatMap(({ answer }) => (answer.claim === 'did' ? [answer.executionId] : [])))
    return [
      ...(runs.length > 1 ? [`phones saw ${runs.length} executions of one key: ${runs.join(', ')}`] : []),
      ...(told.length > 1 ? [`callers were told of several: ${told.join(', ')}`] : []),
    ].map((says): Violation => ({ law: 6, about, says }))
  })

/** Law 7: every wait ends, and the fleet works again when nothing is broken any more. */
const everythingEnds = ({ asked, unended }: Story): Violation[] => [
  ...asked
    .filter(({ answer }) => answer.kind === 'hung')
    .map(({ command, host }): Violation => ({ law: 7, about: command, says: `${host} never answered` })),
  ...unended.map((says): Violation => ({ law: 7, about: 'the fleet', says })),
]

/** Law 8: replaying equals what was lived. */
const replayIsLife = ({ unlike = [] }: Story): Violation[] =>
  unlike.map((says): Violation => ({ law: 8, about: 'a journal', says }))

export const judge = (story: Story): Violation[] => [
  ...seenOnce(story),
  ...answersAreTrue(story),
  ...endsOnce(story),
  ...oneOwner(story),
  ...(story.lostStoreAt !== undefined ? [] : watchersHeardAll(story)),
  ...(story.lostStoreAt !== undefined ? [] : keysRunOnce(story)),
  ...everythingEnds(story),
  ...replayIsLife(story),
]
