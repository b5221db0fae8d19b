/** The laws on steps that the host performs over the link: done once at most, told truly, and put back. */
import type { Violation } from '../../laws/laws.ts'
import { RESUMED } from '../../laws/ran.ts'
import { HOST_STEP } from '../phone/host-steps.ts'
import type { HostStepsOfWorld, World as Whole } from '../world.ts'
import { installedWhole, nothingHalfway } from './app-laws.ts'
import { claimOf, doneOf, hasTrace, stepAsks, type World } from './step-claims.ts'
import { doneAgain, fetchedAreWhole, noDraftsLeft, pushedAreWhole } from './transfer-laws.ts'

/** Law 1. To change a setting may be repeated when it is resumed; a change that came late is put back like its first. */
const doneOnce = (world: World): Violation[] =>
  stepAsks(world).flatMap(ask => {
    const count = doneOf(world, ask)
    const { kind } = ask.hostStep
    if ((kind === 'setting' || kind === 'permission') && world.stalled) return []
    const most = kind === 'setting' && ask.resumes ? 2 : 1
    if (count <= most) return []
    return [{ law: 1 as const, about: ask.command, says: `the phone did its ${kind} ${count} times` }]
  })

/** Law 2: answers and receipts agree with what the phone has done. */
const stepsToldTruly = (world: World): Violation[] =>
  stepAsks(world).flatMap(ask => {
    const { command: about, hostStep } = ask
    const { kind } = hostStep
    const count = doneOf(world, ask)
    const isTraced = hasTrace(world, ask)
    const asked = world.story.asked.filter(({ command }) => command === about || command === about + RESUMED)
    const receipts = world.story.receipts.flatMap(({ own }) => (own?.commandId === about ? [own] : []))
    const claims = receipts.map(receipt => claimOf(receipt, kind))
    const succeeded = asked.some(({ answer, command }) => answer.claim === 'did' && command === about)
    const says = [
      ...(succeeded && count === 0 ? [`a caller was told that it succeeded, and the phone did no ${kind}`] : []),
      ...(asked.every(({ answer }) => answer.claim === 'did-not') && isTraced
        ? [`all callers were told that nothing happened, and the phone did its ${kind}, or a part of it`]
        : []),
      ...(claims.includes('did') && count === 0 ? [`a receipt has its ${kind} as done, and the phone did none`] : []),
      ...(claims.every(claim => claim === 'did-not') && isTraced
        ? [`no receipt lets its ${kind} have been done, and the phone did it, or a part of it`]
        : []),
    ]
    return says.map((one): Violation => ({ law: 2, about, says: one }))
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
    const { changedSettings = [], apps } = deeds[phone] ?? {}
    const changed = [...changedSettings, ...(apps?.changedPermissions.map(name => `permission of ${name}`) ?? [])]
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
  ...pushedAreWhole(world),
  ...fetchedAreWhole(world),
  ...noDraftsLeft(world),
  ...doneAgain(world),
  ...installedWhole(world),
  ...nothingHalfway(world),
  ...settingsPutBack(world),
]

export const judgeHostSteps = (world: Whole, steps: HostStepsOfWorld): Violation[] => judgeSteps({ ...world, ...steps })
