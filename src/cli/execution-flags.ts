/** The flags that commands with an execution share: `--device`, `--operator-package`, and those that ask for the screen. */
import { skillRunIn } from '../contracts/ids.ts'
import type { ScreenOptions } from '../contracts/screen.ts'
import { type Call, type Flag, type Given, usage } from './command.ts'

export const deviceOf = ({ text, env }: Pick<Call, 'text' | 'env'>): string | undefined =>
  text('device') ?? (skillRunIn(env) === undefined ? undefined : env.SVC_DEVICE_ID)

export const namedOperator = ({ text, env }: Pick<Call, 'text' | 'env'>): string | undefined => {
  const given = text('operator-package')
  if (given?.trim() === '') throw usage('--operator-package is blank.')
  const inherited = env.SVC_OPERATOR_PACKAGE
  return given ?? (inherited?.trim() ? inherited : undefined)
}

export const OBSERVE_FLAG: Flag = { name: 'observe', summary: 'print what changed on the screen, in compact lines' }

export const SNAPSHOT_FLAGS: readonly Flag[] = [
  { name: 'compact', summary: 'one line per node, with refs that --ref takes' },
  { name: 'full', summary: 'the XML hierarchy, which is the default' },
  {
    name: 'since',
    value: 'execution id',
    summary: 'compact, and only what changed since the screen of that execution',
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
