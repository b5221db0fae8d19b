/** A trial that broke a law, as a person reads it: how to repeat it, what broke, and everything that happened in order. */
import { executionOf, type Violation } from '../../laws/laws.ts'
import type { Story } from '../../laws/story.ts'
import { LONG, type Plan } from './plan.ts'

interface Line {
  at: number
  text: string
}

const TEXT_CHARS = 300

const askLines = ({ asked }: Story): Line[] =>
  asked.flatMap(({ command, host, device, key, began, ended, answer, text }) => {
    const { kind, claim, code = '', executionId = '' } = answer
    return [
      { at: began, text: `${command} asked of ${host} for ${device}${key === undefined ? '' : ' with a key'}` },
      {
        at: ended,
        text: `${command} ${kind} by ${host}: ${claim} ${code} ${executionId} ${claim === 'did' ? '' : text.slice(0, TEXT_CHARS)}`,
      },
    ]
  })

const ranLines = ({ ran }: Story): Line[] =>
  ran.flatMap(({ command, host, executionId, epoch, isForwarded, acceptedAt, dispatches, phone, ends }) => [
    {
      at: acceptedAt,
      text: `${command} accepted by ${host} for phone ${phone} as ${executionId}, epoch ${epoch}${isForwarded ? ' (sent)' : ''}; ends: ${ends}`,
    },
    ...dispatches.map(at => ({ at, text: `${command} dispatched by ${host}` })),
  ])

const OF_FLEET = ['ownership', 'membership']

const fleetLines = ({ journals }: Story): Line[] =>
  journals.flatMap(({ host, transitions }) =>
    transitions
      .filter(({ machine }) => OF_FLEET.includes(machine))
      .map(({ at, actor, event, from, to }) => ({ at, text: `${host} ${actor}: ${event}: ${from} -> ${to}` })),
  )

const seenLines = ({ seen, ran }: Story): Line[] =>
  seen.map(one => {
    const command = ran.find(({ executionId }) => executionId === executionOf(one))?.command
    return { at: one.at, text: `phone ${one.phone} got ${one.wireId} (${command})` }
  })

const linesOf = (story: Story): string[] => {
  const begun = story.log[0]?.at ?? 0
  return [...story.log, ...askLines(story), ...ranLines(story), ...seenLines(story), ...fleetLines(story)]
    .sort((a, b) => a.at - b.at)
    .map(({ at, text }) => `${String(at - begun).padStart(7)} ${text}`)
}

const againBy = ({ seed, size }: Plan): string =>
  size === LONG
    ? `SVC_SEED=${seed} SVC_TRIALS=10 npm run test:long -- chaos -t 'fleet seed ${seed}, trial 1$'`
    : 'vitest run test/fleet/chaos/short.slow.test.ts'

export const reportOf = (plan: Plan, violations: readonly Violation[], story: Story): string =>
  [
    `seed ${plan.seed}: ${againBy(plan)}`,
    ...violations.map(({ law, about, says }) => `law ${law}: ${about}: ${says}`),
    `plan: ${JSON.stringify(plan)}`,
    ...linesOf(story),
    ...violations.map(({ law, about, says }) => `law ${law}: ${about}: ${says.slice(0, TEXT_CHARS)}`),
  ].join('\n')

const tally = (names: readonly string[]): string =>
  [...new Set(names)]
    .sort()
    .map(name => `${name} ${names.filter(one => one === name).length}`)
    .join(', ')

const FAULT_OVER = /^ends {3}(\{.*)/

/** The faults that a trial did, as its log has them. */
const faultsIn = ({ log }: Story): string[] =>
  log.flatMap(({ text }) => {
    const fault = FAULT_OVER.exec(text)?.[1]
    const { on, does } = JSON.parse(fault ?? '{}') as { on?: string; does?: string }
    return on === undefined ? [] : [`${on} ${does}`]
  })

/** What a run went through: a law that was never put to the test is not kept. */
export const summaryOf = (stories: readonly Story[]): string =>
  [
    `asked: ${stories.reduce((sum, { asked }) => sum + asked.length, 0)}`,
    `suffered: ${tally(stories.flatMap(faultsIn))}`,
    `told: ${tally(stories.flatMap(({ asked }) => asked.map(({ answer }) => answer.code ?? answer.claim)))}`,
    `ended: ${tally(stories.flatMap(({ ran }) => ran.flatMap(({ ends }) => ends)))}`,
    `epochs: ${tally(stories.flatMap(({ ran }) => ran.map(({ epoch, isForwarded }) => `${epoch}${isForwarded ? ' sent' : ''}`)))}`,
    `watched: ${stories.flatMap(({ watched }) => watched.map(({ events }) => events.length)).join(', ')}`,
  ].join('\n')
