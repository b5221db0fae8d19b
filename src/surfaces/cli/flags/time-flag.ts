/** Times in flags, such as `--wait 30s`: a number alone is in milliseconds. */
import { WAIT_FOR_PHONE_MS } from '../../../contracts/limits/limits.ts'
import { type CommandContext, CommandError, type Given, usage } from '../command.ts'

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** In the largest unit that leaves no rest: `24 h`, `1 s`. */
const inUnits = (ms: number): string => {
  const [unit, size] = Object.entries(UNIT_MS).findLast(([, each]) => ms >= each && ms % each === 0) ?? ['ms', 1]
  return `${ms / size} ${unit}`
}

interface Range {
  min: number
  max: number
}

const msWithin = (text: string, { min, max }: Range): number | undefined => {
  const [, digits, unit = 'ms'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(text.trim()) ?? []
  const ms = Number(digits) * (UNIT_MS[unit] ?? Number.NaN)
  return Number.isInteger(ms) && ms >= min && ms <= max ? ms : undefined
}

const mustBe = ({ min, max }: Range, example: string): string =>
  `must be a time from ${inUnits(min)} to ${inUnits(max)}, such as ${example}`

/** `10m`, `90s`, `30000`. */
export const timeFlag = ({ text }: Pick<Given, 'text'>, flag: string, range: Range): number | undefined => {
  const time = text(flag)
  if (time === undefined) return undefined
  const ms = msWithin(time, range)
  if (ms !== undefined) return ms
  throw usage(`--${flag} ${mustBe(range, '90s, 10m or 2h')}; got "${time}".`)
}

/** The call of an execution with its `--wait` in milliseconds. */
export const withWait = (call: CommandContext): CommandContext => {
  const wait = call.text('wait') ?? ''
  const ms = msWithin(wait, WAIT_FOR_PHONE_MS)
  if (ms === undefined) {
    const message = `--wait ${mustBe(WAIT_FOR_PHONE_MS, '30s or 30000')}; got "${wait}".`
    throw new CommandError('EXECUTION_VALIDATION_FAILED', message, { details: { path: 'waitMs' } })
  }
  const text: CommandContext['text'] = flag => (flag === 'wait' ? String(ms) : call.text(flag))
  return Object.create(call, { text: { value: text } })
}
