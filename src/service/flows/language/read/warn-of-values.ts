/** Values that the format accepts and that have no effect, or another one than they say. */
import { numberOf } from '../coerce.ts'
import type { CommandKey } from '../command-table.ts'
import { isDynamic, type Params } from '../params.ts'
import { type Report, warn } from './report.ts'

interface ValueWarning {
  readonly param: string
  /** Absent: for every command that has the parameter. */
  readonly command?: CommandKey
  readonly isAffected: (text: string) => boolean
  readonly message: string
}

const above = (most: number) => (text: string) => {
  const number = numberOf(text)
  return number.ok && number.value > most
}

const VALUES: readonly ValueWarning[] = [
  {
    param: 'autoVerify',
    isAffected: text => text.trim().toLowerCase() !== 'false',
    message: 'autoVerify has no effect: where the phone asks which app opens the link, tap it in the flow.',
  },
  {
    command: 'retry',
    param: 'maxRetries',
    isAffected: above(3),
    message: 'maxRetries is at most 3: the commands run 4 times at most.',
  },
  { param: 'waitToSettleTimeoutMs', isAffected: above(30_000), message: 'waitToSettleTimeoutMs is at most 30000.' },
  {
    command: 'scrollUntilVisible',
    param: 'speed',
    isAffected: above(100),
    message: 'speed is at most 100: a higher one means the default, 40.',
  },
  {
    command: 'scrollUntilVisible',
    param: 'visibilityPercentage',
    isAffected: above(100),
    message: 'visibilityPercentage is at most 100.',
  },
]

/** Warns of written values alone: the value of an expression is known only when the command's turn comes. */
export const warnOfValues = (report: Report, key: CommandKey, params: Params): void => {
  for (const { command, param, isAffected, message } of VALUES) {
    const value = params[param]
    if (value?.kind !== 'text' || (command !== undefined && command !== key)) continue
    if (!isDynamic(value.text) && isAffected(value.text)) warn(report, value.place, message)
  }
}
