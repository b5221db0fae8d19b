/** What the edges of the emulator machine share: requests, decisions by what was found, failures. */
import type { EmulatorAsk, EmulatorFinding, EmulatorPhase } from './emulator-context.ts'
import type { EdgeMeta } from './rows.ts'

const REQUESTS = [
  'create.requested',
  'start.requested',
  'stop.requested',
  'delete.requested',
  'repair.requested',
] as const

export const onRequest = <T>(transition: T) =>
  Object.fromEntries(REQUESTS.map(type => [type, transition])) as Record<(typeof REQUESTS)[number], T>

/** What was found lets the change begin. */
export const decide = <const Target extends string>(
  ask: EmulatorAsk,
  finding: EmulatorFinding,
  target: Target,
  meta: EdgeMeta,
) => ({ guard: { type: 'found' as const, params: { ask, finding } }, target, actions: 'proceed' as const, meta })

/** What was found leaves nothing to do: the request is refused, and why stands in the picture. */
export const refused = <const State extends 'none' | 'exists' | 'running'>(
  ask: EmulatorAsk,
  finding: EmulatorFinding,
  state: State,
  { code, message, meta }: { code: string; message: string; meta: EdgeMeta },
) => ({
  guard: { type: 'found' as const, params: { ask, finding } },
  target: `#emulator.resting.${state}` as const,
  actions: refuse(code, message),
  meta,
})

/** What was found is the answer: a repair is done then. */
export const answered = <const State extends 'none' | 'exists' | 'running'>(
  finding: EmulatorFinding,
  state: State,
  meta: EdgeMeta,
) => ({
  guard: { type: 'is' as const, params: { finding } },
  target: `#emulator.resting.${state}` as const,
  actions: 'report' as const,
  meta,
})

export const refuseOther = { type: 'refuseOther' as const, params: { code: 'EMULATOR_BUSY' } }

export const refuse = (code: string, message: string) => ({ type: 'refuse' as const, params: { code, message } })

export const keepFailure = (code: string) => ({ type: 'keepFailure' as const, params: { code } })

/** What a dead host was at, for the one that repairs it. */
export const enter = (phase: EmulatorPhase) => ({ type: 'enter' as const, params: { phase } })
