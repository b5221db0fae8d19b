/** The laws of what becomes known of executions without their envelopes: it is true, it stays, and what can be known is. */
import type { Violation } from '../../laws/laws.ts'
import { RESUMED } from '../../laws/ran.ts'
import type { World } from '../world.ts'
import type { EvidenceOfWorld, Known, Telling } from './watch-evidence.ts'

/** Law 1: no resumption does again what its caller could read to have been done, whichever step it was to begin with. */
const resumptionsGoOn = ({ resumed }: EvidenceOfWorld, { taps }: World): Violation[] =>
  resumed.flatMap(one =>
    one.taps
      .filter(({ row, outcome, isTapped, count }) => outcome === 'done' && isTapped && (taps[row] ?? 0) > count)
      .map(({ row }): Violation => {
        const says = `${row} was told as done at ${one.at}, and the phone did it again when it was resumed`
        return { law: 1, about: one.executionId, says }
      }),
  )

/** A caller that chooses a step in doubt lets it be done a second time. */
export const rowsDoneAgain = ({ resumed }: Pick<EvidenceOfWorld, 'resumed'>): string[] =>
  resumed.flatMap(({ isChosen, taps }) =>
    taps.flatMap(({ outcome, row }) => (isChosen && outcome === 'unknown' ? [row] : [])),
  )

/** It takes so long until what a fault has broken is whole again. */
const RECOVERY_MS = 3_000
/** From the dispatch to the arrival. */
const UNDER_WAY_MS = 50

/** Law 2: a step that is told as done has been done by then, and a list that is told to have ended has ended. */
const evidenceIsTrue = ({ tellings }: EvidenceOfWorld): Violation[] =>
  tellings.flatMap(({ executionId: about, by, at, word, taps, isAtWork, isEarly, decidedAt }) => [
    ...taps
      .filter(({ outcome, isTapped }) => outcome === 'done' && !isTapped)
      .map(
        ({ row }): Violation => ({ law: 2, about, says: `a ${by} at ${at} has ${row} as done, and the phone had not` }),
      ),
    ...(isEarly
      ? [{ law: 2 as const, about, says: `a ${by} at ${at} has a step as ended whose waits were not over` }]
      : []),
    ...(by === 'record' && isAtWork && word !== 'unknown' && decidedAt !== undefined
      ? [{ law: 2 as const, about, says: `evidence at ${at} has it as ${word}, and the phone was still at work on it` }]
      : []),
  ])

/** Law 2: in the end, receipts agree with what the phone has done, step by step and as a whole. */
const receiptsAreTrue = ({ ended }: EvidenceOfWorld): Violation[] =>
  ended.flatMap(({ executionId: about, command, word, taps }) => {
    const others = ended.filter(one => one.command === command && one.executionId !== about)
    /** Another execution of the same request may have done it. */
    const isElsewhere = (row: string) =>
      others.some(one => one.taps.some(tap => tap.row === row && (tap.outcome === 'done' || tap.outcome === 'unknown')))
    const untapped = taps.filter(({ isTapped }) => !isTapped)
    const says = [
      ...untapped.filter(({ outcome }) => outcome === 'done').map(({ row }) => `${row} is told as done, and is not`),
      ...taps
        .filter(
          ({ outcome, isTapped, row }) =>
            isTapped && (outcome === 'not_run' || outcome === 'failed') && !isElsewhere(row),
        )
        .map(({ row, outcome }) => `${row} is told as ${outcome}, and the phone did it`),
      ...(word === 'done' && untapped.length > 0
        ? [`it is told as done, without ${untapped.map(({ row }) => row)}`]
        : []),
      ...(word !== 'unknown' && taps.some(({ outcome }) => outcome === 'unknown')
        ? [`it is told as ${word}, and a step of it as unknown`]
        : []),
      ...(word === 'not_sent' && taps.some(({ row, isTapped }) => isTapped && !isElsewhere(row))
        ? ['it is told as not sent, and the phone had it']
        : []),
    ]
    return says.map((one): Violation => ({ law: 2, about, says: one }))
  })

/** Law 3: an outcome that is decided stays, whoever tells it, unless a power cut took what had decided it. */
const wordsStay = ({ tellings, powerCuts }: EvidenceOfWorld): Violation[] => {
  const ofOne = new Map<string, Telling[]>()
  for (const telling of tellings) {
    const name = `${telling.host} ${telling.executionId}`
    ofOne.set(name, [...(ofOne.get(name) ?? []), telling])
  }
  return [...ofOne.values()].flatMap(all =>
    all
      .filter(({ word }) => word !== 'unknown')
      .flatMap(before => {
        const isCut = (later: Telling) =>
          powerCuts.some(({ host, at }) => host === before.host && before.began <= at && at <= later.at)
        const moved = all.find(
          later =>
            later.began >= before.at &&
            all.indexOf(later) > all.indexOf(before) &&
            (later.word !== before.word ||
              (before.decidedAt !== undefined && later.by !== 'look' && later.decidedAt !== before.decidedAt)) &&
            !isCut(later),
        )
        if (!moved) return []
        const says = `it was ${before.word} at ${before.at} (${before.by}), and ${moved.word} at ${moved.at} (${moved.by})`
        return [{ law: 3 as const, about: before.executionId, says }]
      })
      .slice(0, 1),
  )
}

/** Law 4: a phone that tells of the list of a dead process gets the next one when it has ended, or its time is over. */
const listsEndFirst = ({ answering, disturbed }: EvidenceOfWorld, { busy, story, timeouts }: World): Violation[] =>
  busy
    .filter(({ phone }) => answering.includes(phone))
    .flatMap(({ executionId: about, phone, from, until = Number.POSITIVE_INFINITY }) => {
      const command = story.ran.find(({ executionId }) => executionId === about)?.command.replace(RESUMED, '') ?? ''
      const freeAt = Math.min(until, from + (timeouts[command] ?? 0) - UNDER_WAY_MS)
      const isQuiet = (at: number) =>
        disturbed.every(one => one.until + RECOVERY_MS < from || one.from > at + UNDER_WAY_MS)
      return busy
        .filter(other => other.phone === phone && other.executionId !== about)
        .filter(other => other.from >= from && other.from < freeAt && isQuiet(other.from))
        .map(
          (other): Violation => ({
            law: 4,
            about,
            says: `it was still at work when the phone got ${other.executionId}`,
          }),
        )
    })

const unknownWithResult = (known: readonly Known[], isClockSet: boolean): Known[] =>
  known.filter(({ word, heldBy }) => word === 'unknown' && (heldBy === 'app' || (heldBy === 'log' && !isClockSet)))

/** Law 7: what has ended on a phone that tells it is known soon, though nobody looks; and once somebody has looked. */
const doubtEnds = ({ swept, ended, isClockSet }: EvidenceOfWorld, { stalled }: World): Violation[] => [
  ...(isClockSet || stalled ? [] : unknownWithResult(swept, isClockSet)).map(
    ({ executionId: about, heldBy }): Violation => ({
      law: 7,
      about,
      says: `nobody asked for it long after the faults, and the ${heldBy} of the phone has its result`,
    }),
  ),
  ...unknownWithResult(ended, isClockSet).map(
    ({ executionId: about, heldBy }): Violation => ({
      law: 7,
      about,
      says: `it was looked at and stayed unknown, and the ${heldBy} of the phone has its result`,
    }),
  ),
]

export const judgeEvidence = (world: World, evidence: EvidenceOfWorld): Violation[] => [
  ...resumptionsGoOn(evidence, world),
  ...evidenceIsTrue(evidence),
  ...receiptsAreTrue(evidence),
  ...wordsStay(evidence),
  ...listsEndFirst(evidence, world),
  ...doubtEnds(evidence, world),
]
