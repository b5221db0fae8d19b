/** The laws on transfers: what comes to its place is whole, on the phone and on the host, and nothing is left beside it. */
import type { Violation } from '../../laws/laws.ts'
import { SHARED_NAME } from '../phone/file-steps.ts'
import type { World } from './step-claims.ts'

/** The places on a phone to which files are pushed, with those whose content may be there. */
const targetsOf = ({ asks, agains }: World, phone: number): { to: string; command: string }[] => [
  ...asks.flatMap(({ hostStep, command, phone: on }) =>
    hostStep?.kind === 'push' && on === phone ? [{ to: hostStep.to, command }] : [],
  ),
  ...agains.flatMap(({ command, phone: on, pushes }) => (on === phone ? pushes.map(to => ({ to, command })) : [])),
]

/** Law 3: a file that is sent comes to its place whole, or not at all. */
export const pushedAreWhole = (world: World): Violation[] =>
  world.deeds.flatMap(({ damaged, files }, phone) => {
    const targets = targetsOf(world, phone)
    const wrong = files.filter(
      file =>
        targets.some(({ to }) => to === file.path) &&
        !targets.some(({ to, command }) => to === file.path && command === file.command),
    )
    return [...damaged, ...wrong.map(({ path }) => path)].map(
      (about): Violation => ({ law: 3, about, says: `phone ${phone} has neither its old content nor its new one` }),
    )
  })

/** Law 3: the same on the host. */
export const fetchedAreWhole = ({ fetched, fetchedBefore, agains }: World): Violation[] =>
  [...fetchedBefore, ...fetched]
    .filter(({ name, command }) => {
      const isAgain = agains.some(again => again.command === command && again.pulls.includes(name))
      return command === undefined || !(isAgain || name === SHARED_NAME || name === command)
    })
    .map(({ host, name: about }) => ({ law: 3, about, says: `on h${host} is neither the old file nor the new one` }))

/** Law 8: once unfinished transfers were done again, nothing is left beside their places. */
export const noDraftsLeft = (world: World): Violation[] => [
  ...world.deeds.flatMap(({ files }, phone) => {
    const places = targetsOf(world, phone).map(({ to }) => to)
    return files
      .filter(({ path }) => !places.includes(path))
      .map(({ path: about }): Violation => ({ law: 8, about, says: `is left on phone ${phone}` }))
  }),
  ...world.hostDrafts.map(({ host, name: about }): Violation => ({ law: 8, about, says: `is left on h${host}` })),
]

/** Law 7: in the calm, a transfer that was not finished is done when it is asked for again. */
export const doneAgain = ({ agains, story }: World): Violation[] =>
  agains.flatMap(({ command: about }) => {
    const asked = story.asked.find(({ command }) => command === about)
    if (asked?.answer.claim === 'did') return []
    return [{ law: 7 as const, about, says: `transfers were not done again: ${asked?.text ?? 'no answer'}` }]
  })
