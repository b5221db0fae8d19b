/** The laws on steps that the host performs over the link: done once at most, told truly, and put back. */
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Receipt } from '../../src/contracts/receipt.ts'
import type { Violation } from '../laws/laws.ts'
import { RESUMED } from '../laws/ran.ts'
import { HOST_STEP, markOf } from './host-steps.ts'
import type { Ask } from './plan.ts'
import type { HostStepsOfWorld, World as Whole } from './world.ts'

type World = Whole & HostStepsOfWorld

type Step = NonNullable<Ask['hostStep']>
type StepAsk = Ask & { hostStep: Step }

const stepAsks = ({ asks }: World): StepAsk[] =>
  asks.filter((ask): ask is StepAsk => ask.hostStep !== undefined && ask.hostStep.kind !== 'restore')

const doneOf = ({ deeds }: World, ask: Ask): number =>
  deeds.reduce((sum, { counts }) => sum + (counts[markOf(ask) ?? ''] ?? 0), 0)

/** Law 1. To change a setting may be repeated when it is resumed; a change that came late is put back like its first. */
const doneOnce = (world: World): Violation[] =>
  stepAsks(world).flatMap(ask => {
    const count = doneOf(world, ask)
    const { kind } = ask.hostStep
    if (kind === 'setting' && world.stalled) return []
    const most = kind === 'setting' && ask.resumes ? 2 : 1
    if (count <= most) return []
    return [{ law: 1 as const, about: ask.command, says: `the phone did its ${kind} ${count} times` }]
  })

type Claim = 'did' | 'did-not' | 'doubt'

/** What a receipt says of the step. */
const claimOf = ({ result, dispatchedAt }: Receipt, kind: Step['kind']): Claim => {
  if (result === null || result === undefined) return dispatchedAt === undefined ? 'did-not' : 'doubt'
  if (result.ok) {
    const step = result.envelope.stepResults.find(({ id }) => id === HOST_STEP)
    if (step?.success) return 'did'
    // A transfer that fails leaves what was there; other steps may have had their effect.
    return step && kind === 'push' ? 'did-not' : 'doubt'
  }
  const {
    completedSteps = [],
    inDoubt,
    dispatched,
  } = (result.error.details ?? {}) as {
    completedSteps?: string[]
    inDoubt?: boolean
    dispatched?: boolean
  }
  if (completedSteps.includes(HOST_STEP)) return 'did'
  return inDoubt === false || dispatched === false ? 'did-not' : 'doubt'
}

/** Law 2: answers and receipts agree with what the phone has done. */
const stepsToldTruly = (world: World): Violation[] =>
  stepAsks(world).flatMap(ask => {
    const { command: about, hostStep } = ask
    const { kind } = hostStep
    const count = doneOf(world, ask)
    const asked = world.story.asked.filter(({ command }) => command === about || command === about + RESUMED)
    const receipts = world.story.receipts.flatMap(({ own }) => (own?.commandId === about ? [own] : []))
    const claims = receipts.map(receipt => claimOf(receipt, kind))
    const succeeded = asked.some(({ answer, command }) => answer.claim === 'did' && command === about)
    const says = [
      ...(succeeded && count === 0 ? [`a caller was told that it succeeded, and the phone did no ${kind}`] : []),
      ...(asked.every(({ answer }) => answer.claim === 'did-not') && count > 0
        ? [`all callers were told that nothing happened, and the phone did its ${kind}`]
        : []),
      ...(claims.includes('did') && count === 0 ? [`a receipt has its ${kind} as done, and the phone did none`] : []),
      ...(claims.every(claim => claim === 'did-not') && count > 0
        ? [`no receipt lets its ${kind} have been done, and the phone did it`]
        : []),
    ]
    return says.map((one): Violation => ({ law: 2, about, says: one }))
  })

const DRAFT_HEX_CHARS = 16
const draftOf = (target: string): string => {
  const name = createHash('sha256').update(target).digest('hex').slice(0, DRAFT_HEX_CHARS)
  return posix.join(posix.dirname(target), `.svc-${name}`)
}

/** Law 3: a file that is sent comes to its place whole, or not at all. */
const filesAreWhole = ({ deeds, asks }: World): Violation[] =>
  deeds.flatMap(({ damaged, files }, phone) => {
    const targets = asks.flatMap(({ hostStep, command }) =>
      hostStep?.kind === 'push' ? [{ to: hostStep.to, command }] : [],
    )
    const wrong = files.filter(
      file =>
        targets.some(({ to }) => to === file.path) &&
        !targets.some(({ to, command }) => to === file.path && command === file.command),
    )
    return [...damaged, ...wrong.map(({ path }) => path)].map(
      (about): Violation => ({ law: 3, about, says: `phone ${phone} has neither its old content nor its new one` }),
    )
  })

/** Law 8: beside its target, a transfer leaves its draft at most, and that only when nobody was told that it succeeded. */
const noDraftsLeft = (world: World): Violation[] =>
  world.deeds.flatMap(({ files }, phone) => {
    const pushes = world.asks.flatMap(({ hostStep, command, phone: on }) =>
      hostStep?.kind === 'push' && on === phone ? [{ to: hostStep.to, command }] : [],
    )
    const isUnfinished = (command: string) =>
      world.story.receipts.some(({ own }) => own?.commandId === command && claimOf(own, 'push') !== 'did')
    const known = [
      ...pushes.map(({ to }) => to),
      ...pushes.filter(({ command }) => isUnfinished(command)).map(({ to }) => draftOf(to)),
    ]
    return files
      .filter(({ path }) => !known.includes(path))
      .map(({ path: about }): Violation => ({ law: 8, about, says: `is left on phone ${phone}` }))
  })

interface Answered {
  value?: { envelope?: { stepResults?: { id: string; data?: { left?: string } }[] } }
}

const leftBy = (text: string): string =>
  (JSON.parse(text) as Answered).value?.envelope?.stepResults?.find(({ id }) => id === HOST_STEP)?.data?.left ?? ''

/** Law 7: in the calm every setting is put back. One that a stalled link changed late is another's, and is told as left. */
const settingsPutBack = ({ restores, story, deeds, stalled }: World): Violation[] =>
  restores.flatMap(({ command: about, phone }) => {
    const asked = story.asked.find(({ command }) => command === about)
    const changed = deeds[phone]?.changedSettings ?? []
    const violation = (says: string): Violation => ({ law: 7, about, says })
    if (asked?.answer.claim !== 'did') return [violation(`settings were not restored: ${asked?.text ?? 'no answer'}`)]
    const left = leftBy(asked.text)
    if (stalled && left !== '[]') return []
    return [
      ...(left === '[]' ? [] : [violation(`it left ${left}, and nobody else has changed a setting`)]),
      ...changed.map(key => violation(`phone ${phone} has another ${key} than in the beginning`)),
    ]
  })

const judgeSteps = (world: World): Violation[] => [
  ...doneOnce(world),
  ...stepsToldTruly(world),
  ...filesAreWhole(world),
  ...noDraftsLeft(world),
  ...settingsPutBack(world),
]

export const judgeHostSteps = (world: Whole, steps: HostStepsOfWorld): Violation[] => judgeSteps({ ...world, ...steps })
