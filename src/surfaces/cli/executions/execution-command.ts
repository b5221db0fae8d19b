/**
 * The command line of an execution: its flags, the choice between this machine and a fleet, and the output of its
 * result. Loads no code of fleets.
 */

import type { ScreenOptions } from '../../../contracts/device/screen.ts'
import type { ExecutionResult } from '../../../contracts/executions/execution-result.ts'
import { defined } from '../../../contracts/json/json.ts'
import { skillRunIn } from '../../../contracts/records/ids.ts'
import type { StoredReceipt } from '../../../runtime/journal/journal.ts'
import {
  type CommandContext,
  type CommandResult,
  type Environment,
  type Flag,
  type Given,
  type GlobalFlag,
  usage,
} from '../command.ts'

export const deviceOf = ({ text, env }: Pick<CommandContext, 'text' | 'env'>): string | undefined =>
  text('device') ?? (skillRunIn(env) === undefined ? undefined : env.SVC_DEVICE_ID)

export const namedOperator = ({ text, env }: Pick<CommandContext, 'text' | 'env'>): string | undefined => {
  const flag = text('operator-package')
  if (flag?.trim() === '') throw usage('--operator-package is blank.')
  const inherited = env.SVC_OPERATOR_PACKAGE
  return flag ?? (inherited?.trim() ? inherited : undefined)
}

/** The global flags that every command uses which runs an execution. */
export const EXECUTION_USES = [
  'device',
  'lease',
  'operator-package',
  'timeout',
  'policy',
  'no-daemon',
  'verbose',
] as const satisfies readonly GlobalFlag[]

export const OBSERVE_FLAG: Flag = { name: 'observe', summary: 'print what changed, in compact lines' }

/** Of every command that runs an execution. */
export const WAIT_FLAG: Flag = {
  name: 'wait',
  value: 'time',
  summary: 'wait so long for a busy device, such as 30s: at most 2m; else it refuses at once',
}

export const SNAPSHOT_FLAGS: readonly Flag[] = [
  { name: 'compact', summary: 'one line per node, with refs that --ref takes' },
  { name: 'full', summary: 'the XML hierarchy, which is the default but for --output text' },
  {
    name: 'since',
    value: 'execution id',
    summary: 'compact, and only what changed since that execution, or last',
  },
]

/** What stands beside the execution in a request. Undefined for a command that asks for nothing of it. */
export const requestOptions = ({ text, isOn }: Given): (ScreenOptions & { waitMs?: number }) | undefined => {
  const since = text('since')
  const isCompact = isOn('compact') || since !== undefined
  if (isCompact && isOn('full')) throw usage('--full cannot be combined with --compact or --since.')
  const observe = isOn('observe')
  const wait = text('wait')
  if (!isCompact && !observe && wait === undefined) return undefined
  return {
    ...(isCompact ? { format: 'compact' } : {}),
    ...(since === undefined ? {} : { since }),
    ...(observe ? { observe } : {}),
    ...(wait === undefined ? {} : { waitMs: Number(wait) }),
  }
}

const LATE_MS = 2_000

/** Looks in the journal for a reason once an answer is late, until the returned function is called. */
export const tellWhenLate = (call: CommandContext, isOurs: (receipt: StoredReceipt) => boolean): (() => void) => {
  let isOver = false
  const look = async () => {
    const { tellInterruptedBefore } = await import('./interrupted-executions.ts')
    await tellInterruptedBefore(call, isOurs, () => isOver)
  }
  // The execution goes on where the journal cannot be read.
  const timer = call.clock.at(call.clock.now() + LATE_MS, () => void look().catch(() => {}), { idle: true })
  return () => {
    isOver = true
    timer.cancel()
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
