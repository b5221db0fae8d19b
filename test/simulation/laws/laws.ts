/** The laws of the simulated world: those of every story, and those that only a world with nothing hidden can be held to. */
import { executionOf, judge, type Violation } from '../../laws/laws.ts'
import { RESUMED } from '../../laws/ran.ts'
import type { Asked } from '../../laws/story.ts'
import { watchersHeardAll } from '../../laws/watch-law.ts'
import { EPOCH } from '../clock.ts'
import { judgeEvidence, rowsDoneAgain } from '../evidence/laws.ts'
import { PROBE_TIMEOUT_MS } from '../host/clients.ts'
import { judgeRecordings } from '../recordings/laws.ts'
import type { World } from '../world.ts'
import { judgeHostSteps } from './host-step-laws.ts'
import { judgeQueues } from './queue-laws.ts'

const bare = (command: string) => command.replace(RESUMED, '')

/** Law 1: a row is tapped once at most, unless its caller has chosen to do it again. */
const tappedOnce = ({ taps, evidence }: World): Violation[] =>
  Object.entries(taps)
    .filter(([row, count]) => count > 1 && !(evidence && rowsDoneAgain(evidence).includes(row)))
    .map(([about, count]) => ({ law: 1, about, says: `the phone did it ${count} times` }))

/** Law 2: an answer does not contradict the phone. */
const answersFitTaps = ({ story, taps }: World): Violation[] =>
  [...new Set(story.asked.map(({ command }) => bare(command)))].flatMap(about => {
    const asked = story.asked.filter(({ command }) => bare(command) === about)
    const count = taps[about] ?? 0
    const receipts = story.receipts.filter(({ own }) => own?.commandId === about)
    const succeeded = asked.some(({ answer, command }) => answer.claim === 'did' && command === about)
    const allDenied = asked.every(({ answer }) => answer.claim === 'did-not')
    const says = [
      ...(succeeded && count === 0 ? ['a caller was told that it succeeded, and the phone did nothing'] : []),
      ...(allDenied && count > 0 ? ['all callers were told that nothing happened, and the phone did it'] : []),
      ...(count > 0 && !receipts.some(({ own }) => own?.dispatchedAt !== undefined)
        ? ['the phone did it, and no receipt says that it was dispatched']
        : []),
    ]
    return says.map((one): Violation => ({ law: 2, about, says: one }))
  })

interface Refusal {
  error?: { details?: { executionId?: string } }
}

/** Law 2: when a caller is told that its execution has done nothing, no phone has had it. */
const denialsHold = ({ story }: World): Violation[] =>
  story.asked
    .filter(
      ({ answer, command }) => answer.kind === 'answered' && answer.claim === 'did-not' && command === bare(command),
    )
    .flatMap(({ text, ended }) => {
      if (!text.startsWith('{')) return []
      const about = (JSON.parse(text) as Refusal).error?.details?.executionId
      const seen = story.seen.find(one => executionOf(one) === about && one.at - EPOCH < ended)
      if (!seen || about === undefined) return []
      return [
        {
          law: 2 as const,
          about,
          says: `a caller was told that nothing happened after a phone had got ${seen.wireId}`,
        },
      ]
    })

/** A link carries what was sent before for at most so long, unless it stalls. */
const UNDER_WAY_MS = 30

/** Law 2: nothing arrives that was sent after a cancellation was answered. */
const cancelledStaysCancelled = ({ story, cancels, stalled }: World): Violation[] =>
  stalled
    ? []
    : cancels.flatMap(({ executionId: about, at }) =>
        story.seen
          .filter(one => executionOf(one) === about && one.at - EPOCH > at + UNDER_WAY_MS)
          .map(
            (one): Violation => ({
              law: 2,
              about,
              says: `the phone got ${one.wireId} ${one.at - EPOCH - at} ms after its cancellation was answered`,
            }),
          ),
      )

/** Law 4: nobody ends an execution as interrupted while its owner lives, and has not given it up for a failing journal. */
const livingOwnersKeep = ({ story, begun, deaths, failingHosts }: World): Violation[] =>
  story.ran
    .filter(({ ends, host }) => ends.includes('execution.interrupted') && !failingHosts.includes(host))
    .flatMap(({ executionId: about }) => {
      const pid = begun.findLast(one => one.executionId === about)?.pid
      if (pid === undefined || deaths.some(death => death.pid === pid)) return []
      return [{ law: 4 as const, about, says: `it was interrupted while its owner, process ${pid}, lived` }]
    })

/**
 * Law 4: a phone is at work on one execution at a time, unless the owner of the first died, its journal failed, or it had
 * waited for as long as it had said it would. A request that a stalled link held back arrives after it was given up.
 */
const nothingOverlaps = ({ story, busy, begun, deaths, failingHosts, timeouts, stalled }: World): Violation[] =>
  (stalled ? [] : busy).flatMap(first => {
    const { executionId: about, phone, from, until = Number.POSITIVE_INFINITY } = first
    const ran = story.ran.find(({ executionId }) => executionId === about)
    const pid = begun.findLast(one => one.executionId === about)?.pid
    if (!ran || failingHosts.includes(ran.host)) return []
    const diedAt = deaths.find(death => death.pid === pid)?.at ?? Number.POSITIVE_INFINITY
    const givenUpAt = from + (timeouts[bare(ran.command)] ?? PROBE_TIMEOUT_MS) - UNDER_WAY_MS
    const freeAt = Math.min(until, diedAt, givenUpAt)
    return busy
      .filter(other => other.phone === phone && other.executionId !== about && other.from >= from)
      .filter(other => other.from < freeAt)
      .map(({ executionId, from: began }): Violation => {
        return {
          law: 4,
          about,
          says: `phone ${phone} began ${executionId} ${began - from} ms after it, and was still at work`,
        }
      })
  })

/** Law 5 is for answers as well: each comes in its bound. */
const ANSWER_MS = 60_000
const answeredInTime = ({ story, waits }: World): Violation[] =>
  story.asked
    .filter(({ command, began, ended }) => ended - began > ANSWER_MS + (waits[bare(command)] ?? 0))
    .map(({ command: about, began, ended }) => ({ law: 7, about, says: `it was answered after ${ended - began} ms` }))

/** Law 7: in the calm everything works. */
const calmWorks = ({ story, probes, taps }: World): Violation[] =>
  probes.flatMap(about => {
    const answer = story.asked.find(({ command }) => command === about)
    if (answer?.answer.claim === 'did' && taps[about] === 1) return []
    return [{ law: 7 as const, about, says: `a request in the calm was answered ${answer?.text ?? 'never'}` }]
  })

/** Law 8: nothing is left. */
const nothingLeft = ({ left }: World): Violation[] =>
  left.map(({ owner: about, what }) => ({ law: 8, about, says: `is left: ${what}` }))

/** Law 3: a receipt agrees with the answer that was given last. */
const receiptsAgree = ({ story }: World): Violation[] =>
  story.receipts.flatMap(({ executionId: about, own }) => {
    const did = story.asked.find(({ answer }) => answer.executionId === about && answer.claim === 'did')
    if (!did || own?.result?.ok === true || own?.state === 'interrupted') return []
    return [{ law: 3 as const, about, says: `a caller was told that it succeeded, and its receipt is ${own?.state}` }]
  })

/** Law 5: who listens to a host hears all of its transitions, once and in order. */
const watchersHear = ({ story, watched }: World): Violation[] =>
  watched
    .filter(({ isOver }) => !isOver)
    .flatMap(watcher => {
      const { until = Number.POSITIVE_INFINITY } = watcher
      const isInTime = ({ seq }: { seq: number }) => seq <= until
      const journals = story.journals
        .filter(({ host }) => host in watcher.since)
        .map(({ host, transitions }) => ({ host, transitions: transitions.filter(isInTime) }))
      return watchersHeardAll({ watched: [{ ...watcher, events: watcher.events.filter(isInTime) }], journals })
    })

/**
 * A refusal speaks of its own request alone if all that phones saw of the execution comes from another request of the same
 * id, begun since; unless it was cancelled before that, and its canceller was told so.
 */
const ofItsRequestAlone =
  ({ story, begun, cancels, departures }: World) =>
  (asked: Asked): Asked => {
    const { executionId, ...unnamed } = asked.answer
    const { answered = asked.ended } = asked
    const since = begun.filter(one => one.executionId === executionId && one.at > answered).map(({ at }) => at)
    if (asked.answer.claim !== 'did-not' || since.length === 0) return asked
    const begunAgain = Math.min(...since)
    // What was being recorded when its caller left is begun all the same.
    const hasLeft = ({ command }: Asked) => departures.some(one => one.command === command)
    const isOfAnother =
      story.seen.every(one => executionOf(one) !== executionId || one.at - EPOCH >= begunAgain) &&
      since.every(at =>
        story.asked.some(
          one => one !== asked && one.command === asked.command && one.began <= at && (at <= one.ended || hasLeft(one)),
        ),
      ) &&
      !cancels.some(one => one.executionId === executionId && one.at < begunAgain)
    return isOfAnother ? { ...asked, answer: unnamed } : asked
  }

/** What the operator app has no part in: commands of the shell, and the rest of one whose last step is the host's. */
const isByHost =
  ({ byShell, hostSteps }: World) =>
  ({ command }: Asked): boolean =>
    byShell.includes(bare(command)) ||
    (command !== bare(command) && hostSteps?.asks.find(ask => ask.command === bare(command))?.hostStep?.isLast === true)

export const judgeWorld = (world: World): Violation[] => [
  ...judge({
    ...world.story,
    asked: world.story.asked.filter(asked => !isByHost(world)(asked)).map(ofItsRequestAlone(world)),
  }),
  ...tappedOnce(world),
  ...answersFitTaps(world),
  ...denialsHold(world),
  ...cancelledStaysCancelled(world),
  ...livingOwnersKeep(world),
  ...nothingOverlaps(world),
  ...receiptsAgree(world),
  ...watchersHear(world),
  ...answeredInTime(world),
  ...calmWorks(world),
  ...nothingLeft(world),
  ...judgeQueues(world),
  ...(world.reservations?.violations ?? []),
  ...(world.evidence ? judgeEvidence(world, world.evidence) : []),
  ...(world.recordings ? judgeRecordings(world.recordings) : []),
  ...(world.hostSteps ? judgeHostSteps(world, world.hostSteps) : []),
]
