/**
 * The command line of an execution: its flags, the choice between this machine and a fleet, and the output of its
 * result. Loads no code of fleets.
 */

import type { ExecutionResult } from '../contracts/execution-result.ts'
import { skillRunIn } from '../contracts/ids.ts'
import { defined } from '../contracts/json.ts'
import type { ScreenOptions } from '../contracts/screen.ts'
import { type Call, type CommandResult, type Environment, type Flag, type Given, usage } from './command.ts'

export const deviceOf = ({ text, env }: Pick<Call, 'text' | 'env'>): string | undefined =>
  text('device') ?? (skillRunIn(env) === undefined ? undefined : env.SVC_DEVICE_ID)

export const namedOperator = ({ text, env }: Pick<Call, 'text' | 'env'>): string | undefined => {
  const given = text('operator-package')
  if (given?.trim() === '') throw usage('--operator-package is blank.')
  const inherited = env.SVC_OPERATOR_PACKAGE
  return given ?? (inherited?.trim() ? inherited : undefined)
}

export const OBSERVE_FLAG: Flag = { name: 'observe', summary: 'print what changed, in compact lines' }

export const SNAPSHOT_FLAGS: readonly Flag[] = [
  { name: 'compact', summary: 'one line per node, with refs that --ref takes' },
  { name: 'full', summary: 'the XML hierarchy, which is the default' },
  {
    name: 'since',
    value: 'execution id',
    summary: 'compact, and only what changed since that execution, or last',
  },
]

/** Undefined for a command that asks for nothing of it. */
export const viewOf = ({ text, isOn }: Given): ScreenOptions | undefined => {
  const since = text('since')
  const isCompact = isOn('compact') || since !== undefined
  if (isCompact && isOn('full')) throw usage('--full cannot be combined with --compact or --since.')
  const observe = isOn('observe')
  if (!isCompact && !observe) return undefined
  return {
    ...(isCompact ? { format: 'compact' } : {}),
    ...(since === undefined ? {} : { since }),
    ...(observe ? { observe } : {}),
  }
}

export const isInFleet = ({ SVC_FLEET }: Environment): boolean => Boolean(SVC_FLEET?.trim())

/** `<serial>@<host>`, `any`, `any:<terms>`: such as a fleet alone has; a serial of this machine may hold an @ all the same. */
export const isFleetDevice = (device = ''): boolean => /@|^\s*any\s*(:|$)/.test(device)

/** A skill run is where its device is: a command of it that names no other host is for that device. */
export const concernsFleet = (env: Environment, device: string | undefined): boolean =>
  isFleetDevice(device) || (isInFleet(env) && skillRunIn(env) === undefined)

/** The id says where the receipt is; an answer of a daemon without one leaves it out. */
export const executionOutput = (result: ExecutionResult, executionId?: string): CommandResult => {
  if (!result.ok) return { ok: false, output: result.error }
  const { envelope, deviceId, terminalSource, operatorPackage, observed } = result
  return {
    ok: envelope.status === 'success',
    output: {
      envelope,
      deviceId,
      terminalSource,
      isCanonicalTerminal: true,
      ...defined({ executionId, operatorPackage, observed }),
    },
  }
}
