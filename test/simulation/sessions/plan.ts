/** The deeds of one trial with WebDriver sessions: what each client does and how it ends, who else wants its phone, and which faults come. */
import { createRandom, type Random } from '../../long/trial/random.ts'
import { type Ask, FAULTS_UNTIL_MS, type Fault, type Place, type Plan, planOf } from '../plan/plan.ts'
import { seedOf } from '../scheduler.ts'

/** Clicks have a row of their own, which no other command of the plan clicks. */
export type PlannedCommand = { readonly afterMs: number } & (
  | { readonly kind: 'click'; readonly row: number }
  /** Looks for an element that is not there, for as long as the implicit wait says. */
  | { readonly kind: 'miss' }
  /** Leaves the app, and brings it to the front again. */
  | { readonly kind: 'back' }
)

export interface SessionAsk {
  readonly at: number
  readonly place: Place
  /** Where the client goes once its connection breaks. */
  readonly otherPlace: Place
  /** The phone that it names; absent for any free one. */
  readonly phone?: number
  readonly idleMs: number
  readonly implicitMs: number
  readonly commands: readonly PlannedCommand[]
  /** Deletes its session, falls silent, or is killed so long after it began. */
  readonly end: { readonly kind: 'delete' | 'silent' } | { readonly kind: 'killed'; readonly afterMs: number }
  /** The last command is not waited for: the session is deleted so long after it was sent. */
  readonly deletesDuringLastMs?: number
  /** Clicked by its element once the session has been deleted. */
  readonly lateRow: number
}

export interface SessionPlan extends Plan {
  readonly sessions: readonly SessionAsk[]
}

/** Rows from here on are for requests of others. */
const STRANGER_ROW = 26
const STRANGERS_MAX = 6
const CLIENTS_MAX = 4
const UNTIL_MS = 12_000

const listOf = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const sessionsOf = (random: Random, count: number, phones: number): SessionAsk[] => {
  let row = 0
  const commandOf = (): PlannedCommand => {
    const afterMs = random.pick([0, random.int(0, 400), random.int(0, 2_500)])
    const kind = random.pick(['click', 'click', 'click', 'miss', 'back'] as const)
    return kind === 'click' ? { kind, afterMs, row: row++ } : { kind, afterMs }
  }
  const endOf = (): SessionAsk['end'] => {
    const kind = random.pick(['delete', 'delete', 'silent', 'killed'] as const)
    return kind === 'killed' ? { kind, afterMs: random.int(50, 6_000) } : { kind }
  }
  return listOf(count, () => {
    const process = random.int(0, 1)
    return {
      at: random.int(0, UNTIL_MS),
      place: { host: 0, process },
      otherPlace: { host: 0, process: random.chance(0.7) ? 1 - process : process },
      ...(random.chance(0.6) ? { phone: random.int(0, phones - 1) } : {}),
      idleMs: random.pick([800, 2_000, 6_000]),
      implicitMs: random.pick([0, 0, 1_500]),
      commands: listOf(random.int(1, 5), commandOf),
      end: endOf(),
      ...(random.chance(0.25) ? { deletesDuringLastMs: random.int(0, 400) } : {}),
      lateRow: row++,
    }
  })
}

const strangersOf = (random: Random, phones: number): Ask[] =>
  listOf(random.int(1, STRANGERS_MAX), index => ({
    command: `tap-${STRANGER_ROW + index}`,
    at: random.int(0, UNTIL_MS),
    place: { host: 0, process: random.int(0, 1) },
    phone: random.int(0, phones - 1),
    way: 'plain',
    timeoutMs: random.pick([1_500, 6_000]),
    operatorPackage: random.pick(['com.svc.operator', null] as const),
    beforeMs: random.pick([0, random.int(1, 600)]),
    afterMs: 0,
    waitMs: random.pick([0, 0, 4_000]),
  }))

/** Faults of the core's plans, of the one host; some are aimed at the time of a session. */
export const sessionPlanOf = (seed: number, count?: number): SessionPlan => {
  const random = createRandom(seedOf(`${seed}/plan of sessions`))
  const { faults, phones, watchers } = planOf(seed)
  const isHere = (fault: Fault) =>
    (!('host' in fault) || fault.host === 0) &&
    (!('place' in fault) || fault.place === undefined || fault.place.host === 0)
  const sessions = sessionsOf(random, count ?? random.int(2, CLIENTS_MAX), phones.length)
  const rows = Math.max(...sessions.map(({ lateRow }) => lateRow)) + 1
  if (rows > STRANGER_ROW) throw new Error(`the plan has ${rows} rows, and the screen ${STRANGER_ROW} for sessions`)
  const moved = (fault: Fault): Fault => {
    const aimed = sessions[random.int(0, sessions.length - 1)]
    const at = aimed && random.chance(0.7) ? aimed.at + random.int(0, 4_000) : random.int(0, FAULTS_UNTIL_MS - 1)
    return { ...fault, at: Math.min(at, FAULTS_UNTIL_MS - 1) }
  }
  return {
    seed,
    hosts: 1,
    processes: 2,
    phones: phones.map(phone => ({ ...phone, host: 0 })),
    asks: strangersOf(random, phones.length),
    watchers: watchers.filter(({ host }) => host === 0),
    sessions,
    faults: random.chance(0.8) ? faults.filter(isHere).map(moved) : [],
  }
}
