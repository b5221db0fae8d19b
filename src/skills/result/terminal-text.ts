/** Turns the output to a pseudo-terminal into plain text: escape codes and carriage returns removed, across chunks. */

export interface TerminalText {
  /** An escape code that has only begun is kept for the next chunk. */
  push(text: string): string
  /** Drops the rest of an unfinished escape code, which is not text. */
  end(): void
}

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

export const createTerminalText = (): TerminalText => {
  let begun = ''
  return {
    push(text) {
      const all = begun + text
      const from = all.slice(-CODE_CHARS_MAX).search(UNFINISHED)
      const cut = from < 0 ? all.length : Math.max(0, all.length - CODE_CHARS_MAX) + from
      begun = all.slice(cut)
      return all.slice(0, cut).replace(CODE, '')
    },
    end: () => {
      begun = ''
    },
  }
}
