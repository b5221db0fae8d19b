/** Reads the flags that ask for the screen: `--compact`, `--full`, `--since`, `--observe`. */
import type { ScreenOptions } from '../contracts/screen.ts'
import { type Flag, type Given, usage } from './command.ts'

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
