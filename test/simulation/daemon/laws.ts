/** The laws of proxied commands: each ends, is handed to one daemon at most, and its answer does not contradict the phone. */
import type { Violation } from '../../laws/laws.ts'
import type { DaemonWorld, Sent } from './trial.ts'

/** Twice the wait for the lock and a start, the wait for the answer, and the two waits of a cancellation. */
const BOUND_MS = 30_000

const named = (about: string, law: Violation['law'], says: readonly string[]): Violation[] =>
  says.map(one => ({ law, about, says: one }))

const dispatchedIn = ({ result }: Sent): unknown =>
  result && 'error' in result ? result.error.details?.dispatched : undefined

const judgeSent = ({ acts, bodies, misled }: DaemonWorld, sent: Sent): Violation[] => {
  const { command, result, ranDirectly, ended, began, isDead, events } = sent
  const { name, kind } = command
  const own = acts.filter(act => act.command === name)
  const handed = bodies.get(name) ?? 0
  const isRerun = result?.kind === 'direct' && result.isRerun
  const isSuccess = result?.kind === 'answered' && result.body.includes('"success"')
  const mostActs = isRerun && kind === 'snapshot' ? 2 : 1
  return [
    ...named(name, 1, own.length > mostActs ? [`the phone did it ${own.length} times`] : []),
    ...named(name, 6, misled.has(name) ? ['a daemon with other devices in reach was given it'] : []),
    ...named(name, 6, handed > 1 ? [`${handed} daemons were given it`] : []),
    ...named(name, 1, isRerun && kind !== 'snapshot' ? [`a ${kind} ran again`] : []),
    ...named(name, 2, [
      ...(isSuccess && own.length === 0 ? ['it was told that it succeeded, and the phone did nothing'] : []),
      ...(dispatchedIn(sent) === false && own.length > 0
        ? ['it was told that nothing was sent, and the phone did it']
        : []),
      ...(ranDirectly && !isRerun && handed > 0 ? ['it ran by itself, and a daemon had been given it'] : []),
      ...(result?.kind === 'lost' && handed === 0 && !events.includes('request.written')
        ? ['its answer was lost, and nothing had been sent']
        : []),
    ]),
    ...named(name, 7, [
      ...(ended === undefined && !isDead ? [`it never ends: ${events.join(', ')}`] : []),
      ...((ended ?? 0) - began > BOUND_MS ? [`it ended after ${(ended ?? 0) - began} ms`] : []),
      ...events.filter(event => event.startsWith('threw')),
    ]),
  ]
}

/** Law 4: one client at a time starts a daemon. */
const oneStarts = ({ starts, sent }: DaemonWorld): Violation[] => {
  const living = starts.filter(({ by }) => !sent.some(one => one.isDead && by.endsWith(one.command.name)))
  return living.flatMap((one, index) => {
    const other = living.slice(index + 1).find(({ from, until }) => from < one.until && one.from < until)
    return named(one.by, 4, other ? [`starts a daemon while ${other.by} does`] : [])
  })
}

/** Law 7: in the calm a command has an answer, by a daemon unless somebody else listens there, or one does not start in time. */
const calmWorks = ({ probe, plan }: DaemonWorld): Violation[] => {
  const mayHaveNone = ['foreign', 'silent', 'garbage', 'elsewhere'].includes(plan.listener) || plan.bootMs > 2_500
  const isFine = probe.result?.kind === 'answered' || (mayHaveNone && probe.ranDirectly)
  return named('probe', 7, isFine ? [] : [`a command in the calm ended ${JSON.stringify(probe.result)}`])
}

export const judgeDaemons = (world: DaemonWorld): Violation[] => [
  ...[...world.sent, world.probe].flatMap(sent => judgeSent(world, sent)),
  ...oneStarts(world),
  ...calmWorks(world),
  ...named('clients', 8, world.left),
]
