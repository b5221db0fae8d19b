/** `console` of scripts: each call is one line of the flow's log, with the place of the call. */
import type { LoggedLine } from '../messages.ts'
import { placeOf } from './failure.ts'

const LINES_MAX = 1_000
const CHARS_MAX = 256 * 1_024

// Scripts may replace these.
const { stringify } = JSON
const CallPlace = RangeError

const valueText = (value: unknown): string => {
  if (typeof value !== 'object' || value === null || value instanceof Error) return String(value)
  try {
    return stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

const LEVELS = ['log', 'info', 'debug', 'warn', 'error'] as const

export interface ScriptConsole {
  readonly console: Readonly<Record<(typeof LEVELS)[number], (...values: unknown[]) => void>>
  /** The bounds count anew with each evaluation. */
  begin(): void
}

export const createConsole = (write: (line: LoggedLine) => void): ScriptConsole => {
  let lines = 0
  let chars = 0
  const log = (...values: unknown[]): void => {
    if (lines > LINES_MAX || chars > CHARS_MAX) return
    const line = values.map(valueText).join(' ')
    lines++
    chars += line.length
    const isOver = lines > LINES_MAX || chars > CHARS_MAX
    const text = isOver
      ? `The script logged more than ${LINES_MAX} lines or ${CHARS_MAX} characters: the rest is dropped.`
      : line
    const { label, line: at } = placeOf(new CallPlace())
    write(label === undefined || at === undefined ? { text } : { text, label, line: at })
  }
  return {
    console: { log, info: log, debug: log, warn: log, error: log },
    begin() {
      lines = 0
      chars = 0
    },
  }
}
