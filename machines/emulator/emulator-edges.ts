/** Edges that the parts of the emulator machine share: requests, decisions by finding, failures. */

import type { EdgeMeta } from '../rows.ts'
import type { EmulatorAsk, EmulatorFinding, EmulatorPhase } from './emulator-context.ts'

const REQUESTS = [
  'create.requested',
  'start.requested',
  'stop.requested',
  'delete.requested',
  'repair.requested',
] as const

export const onRequest = <T>(transition: T) =>
  Object.fromEntries(REQUESTS.map(type => [type, transition])) as Record<(typeof REQUESTS)[number], T>

/** An edge for a finding that lets the change begin. */
export const decide = <const Target extends string>(
  ask: EmulatorAsk,
  finding: EmulatorFinding,
  target: Target,
  meta: EdgeMeta,
) => ({ guard: { type: 'found' as const, params: { ask, finding } }, target, actions: 'proceed' as const, meta })

/** An edge for a finding that leaves nothing to do: the request is refused, and the picture shows why. */
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

/** An edge for a finding that is itself the answer: a repair is done then. */
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

/** Records the phase under way: a repair reads it if this host dies. */
export const enter = (phase: EmulatorPhase) => ({ type: 'enter' as const, params: { phase } })
