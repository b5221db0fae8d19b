/** The deeds of one trial with daemons: who sends which command when, what listens, and which faults come. Plain JSON. */
import type { CommandKind } from '../../../src/contracts/events/dispatch.ts'
import { createRandom } from '../../long/trial/random.ts'
import { seedOf } from '../scheduler.ts'

/** Who listens on the socket when the trial begins. */
export type Listener = 'none' | 'ours' | 'older' | 'elsewhere' | 'stale' | 'foreign' | 'silent' | 'garbage'

export interface Command {
  name: string
  at: number
  kind: CommandKind
  /** How long the phone is at work. */
  workMs: number
  /** Its caller is interrupted so long after it began. */
  interruptAfterMs?: number
  /** The journal cannot tell it then how far the execution was. */
  isJournalMute?: boolean
  /** Its process dies at the so manyth use of a seam. */
  diesAtUse?: number
}

export type DaemonFault =
  | { kind: 'kill'; at: number }
  | { kind: 'freeze'; at: number; ms: number }
  | { kind: 'end'; at: number }
  /** What is said over the next connections is lost after so many messages. */
  | { kind: 'hang-up'; at: number; afterMessages: number; times: number }
  | { kind: 'late-answers'; at: number; ms: number; extraMs: number }
  | { kind: 'cannot-start'; at: number; ms: number }

export interface DaemonPlan {
  seed: number
  listener: Listener
  bootMs: number
  commands: readonly Command[]
  faults: readonly DaemonFault[]
}

export const FAULTS_UNTIL_MS = 12_000
const AT_MAX_MS = 8_000

const listOf = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

export const daemonPlanOf = (seed: number, count = 6): DaemonPlan => {
  const random = createRandom(seedOf(`${seed}/daemon`))
  const together = random.int(0, AT_MAX_MS)
  const commands = listOf(
    count,
    (index): Command => ({
      name: `tap-${index}`,
      // Some ask at the same moment: each of them may find that a daemon is needed.
      at: random.chance(0.4) ? together + random.int(0, 5) : random.int(0, AT_MAX_MS),
      kind: random.pick(['exec', 'exec', 'flat', 'snapshot', 'screenshot']),
      workMs: random.pick([random.int(1, 60), random.int(20, 1_500)]),
      ...(random.chance(0.3) ? { interruptAfterMs: random.int(0, 1_500), isJournalMute: random.chance(0.4) } : {}),
      ...(random.chance(0.12) ? { diesAtUse: random.int(1, 6) } : {}),
    }),
  )
  const moment = () => {
    const aimed = commands[random.int(0, commands.length - 1)]
    return Math.min(FAULTS_UNTIL_MS - 1, (aimed?.at ?? 0) + random.int(0, random.pick([30, 300, 2_000])))
  }
  const some = (chance: number, most: number, make: () => DaemonFault) =>
    random.chance(chance) ? listOf(random.int(1, most), make) : []
  return {
    seed,
    listener: random.pick([
      'none',
      'none',
      'ours',
      'ours',
      'older',
      'elsewhere',
      'stale',
      'foreign',
      'silent',
      'garbage',
    ]),
    bootMs: random.pick([random.int(50, 600), random.int(50, 600), random.int(2_500, 4_000)]),
    commands,
    faults: [
      ...some(0.5, 3, () => ({ kind: 'kill', at: moment() })),
      ...some(0.3, 2, () => ({ kind: 'freeze', at: moment(), ms: random.int(100, 9_000) })),
      ...some(0.3, 2, () => ({ kind: 'end', at: moment() })),
      ...some(0.5, 3, () => ({
        kind: 'hang-up',
        at: moment(),
        afterMessages: random.int(0, 3),
        times: random.int(1, 3),
      })),
      ...some(0.2, 1, () => ({
        kind: 'late-answers',
        at: moment(),
        ms: random.int(100, 3_000),
        extraMs: random.int(100, 9_000),
      })),
      ...some(0.2, 1, () => ({ kind: 'cannot-start', at: moment(), ms: random.int(100, 3_000) })),
    ],
  }
}
