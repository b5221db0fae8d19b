/** A result as a command hands it over, to be printed as text. */
import type { Printer } from '../../../../../src/surfaces/cli/command.ts'

export interface Case {
  /** Stands above the text in its snapshot. */
  about: string
  printer: Printer
  output: unknown
  /** The words and flags that were given. */
  path?: readonly string[]
  args?: readonly string[]
  flags?: Readonly<Record<string, string>>
}

/** 2026-05-04 12:00:00 UTC */
export const NOW = Date.UTC(2026, 4, 4, 12)

export const CJK = '设置网络和互联网'
export const EMOJI = 'Family 👨‍👩‍👧 time ⏰'
export const RTL = 'הגדרות הרשת'
/** Clears the screen, renames the window and turns the rest of the line around, where it is not escaped. */
export const HOSTILE = 'Pay\x1b[2J\x1b]0;owned\x07 \u202egnp.exe\r\n now'
export const ID = '0199f2b4-6c1e-7a51-9d52-4f8a8c5b7e10'
