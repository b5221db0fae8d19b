/** Extracts a skill's own reason for its failure from its output, as one short line that is safe to print. */
import { SKILL_REASON_CHARS_MAX } from '../../../contracts/limits/limits.ts'
import type { SkillResult } from '../../../contracts/skills/skill-result.ts'

const ESC = '\u001b'
const BEL = '\u0007'
/** A code that never ends (the title of a window, say) is given up after this many characters. */
const CODE_CHARS_MAX = 4_096

/** Control sequences, then strings up to their terminator, then the short ones. */
const PARAMETERS = `(?:${ESC}\\[|\u009b)[0-?]*[ -/]*`
const STRING = `${ESC}[\\]PX^_][^${BEL}${ESC}]*`
const SHORT = `${ESC}[ -/]*`

const CODE = new RegExp(`${PARAMETERS}[@-~]|${STRING}(?:${BEL}|${ESC}\\\\)|${SHORT}[0-~]|\r`, 'g')
const UNFINISHED = new RegExp(`(?:${PARAMETERS}|${STRING}${ESC}?|${SHORT})$`)

export const createTerminalText = () => {
  let begun = ''
  return {
    /** An escape code that has only begun is kept for the next chunk. */
    push(text: string) {
      const all = begun + text
      const from = all.slice(-CODE_CHARS_MAX).search(UNFINISHED)
      const cut = from < 0 ? all.length : Math.max(0, all.length - CODE_CHARS_MAX) + from
      begun = all.slice(cut)
      return all.slice(0, cut).replace(CODE, '')
    },
    /** Drops the rest of an unfinished escape code, which is not text. */
    end: () => {
      begun = ''
    },
  }
}

/** The last line is looked for in this much of stderr, from the beginning of a line. */
const STDERR_END_CHARS = 64 * 1_024
/** A line may be as long as the stream; escape codes are part of this. */
const LINE_CHARS_MAX = 4_096

/** Format characters reorder or hide text (bidi controls, zero widths, tags); the others are letters that nobody sees. */
const INVISIBLE = /[\p{Cf}\u115f\u1160\u3164\uffa0\u2800]/gu
const BLANKS = /[\p{Cc}\p{Z}]+/gu
const HALF_CHARACTER = /\p{Cs}/gu

const clipped = (text: string): string =>
  text.length <= SKILL_REASON_CHARS_MAX
    ? text
    : `${text.slice(0, SKILL_REASON_CHARS_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`

/** Removes escape codes, control characters, and everything that changes how the text around it is shown. */
export const plainLine = (text: string): string =>
  clipped(
    createTerminalText()
      .push(text.slice(0, LINE_CHARS_MAX))
      .replace(INVISIBLE, '')
      .replace(BLANKS, ' ')
      .replace(HALF_CHARACTER, '\ufffd')
      .trim(),
  )

const firstPlain = (texts: readonly (string | null | undefined)[]): string | undefined =>
  texts.map(text => plainLine(text ?? '')).find(text => text !== '')

/** In this order: the first failed checkpoint with a note, the terminal verification, the warnings, the hints. */
export const noteOf = ({ checkpoints, terminalVerification, diagnostics }: SkillResult): string | undefined =>
  firstPlain([
    ...checkpoints.filter(({ status }) => status === 'failed').map(({ note }) => note),
    terminalVerification?.status === 'verified' ? undefined : terminalVerification?.note,
    ...(diagnostics?.warnings ?? []),
    ...(diagnostics?.hints ?? []),
  ])

/** Lines that Node prints around an uncaught error: a pointer into the code before it, the version after it. */
const POINTER = /^\s*\^+\s*$/
const NODE_VERSION = /^Node\.js v\d/

/** The last line with something to read in it; of an error that a Node script did not catch, the line that says which. */
export const lastLineOf = (stderr: string): string | undefined => {
  const from = stderr.lastIndexOf('\n', stderr.length - STDERR_END_CHARS) + 1
  const lines = stderr.slice(from).split(/[\r\n]+/)
  const isText = (line: string) => plainLine(line) !== ''
  const last = lines.findLast(isText)
  if (last === undefined) return undefined
  const pointer = NODE_VERSION.test(last) ? lines.findLastIndex(line => POINTER.test(line)) : -1
  return plainLine((pointer < 0 ? undefined : lines.slice(pointer + 1).find(isText)) ?? last)
}
