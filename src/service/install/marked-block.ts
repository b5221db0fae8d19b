/** A block of ours between two marker lines in a file of the user: put in, replaced and taken out with every other byte kept. */
import { withoutEnd } from '../../runtime/text/without-end.ts'

interface Markers {
  start: string
  end: string
}

interface BlockStyle extends Markers {
  /** An empty line sets it off from the text before it. */
  isSetOff: boolean
  /** Undefined: as the text has it. */
  eol?: '\n'
}

export type Edited =
  | { ok: true; text: string }
  /** Why the file is left alone. */
  | { ok: false; reason: string }

/** After the end marker: the text before the block had no end of line, and the one that was added goes with the block. */
const JOINED = ' '
/** After the end marker: nothing stood before the block, and nothing was added there. */
const ALONE = '\t'

interface Block {
  start: number
  /** Past the marker, without the rest of its line. */
  end: number
  eol: string
  flag: string
  /** The offset of the text after the block. */
  next: number
}

/** Removes blanks of ASCII alone: other bytes that look like blanks here may be half of a character. */
const withoutBlanks = (line: string): string => withoutEnd(line, /[ \t]/).replace(/^[ \t]+/, '')

const linesWith = (text: string, marker: string): number[] =>
  [...text.matchAll(/[^\r\n]+/g)].filter(([line]) => withoutBlanks(line) === marker).map(({ index }) => index)

const END_OF_LINE = /^(?:\r\n|\n|\r)/

const findBlock = (text: string, { start, end }: Markers): Block | undefined | string => {
  const starts = linesWith(text, start)
  const ends = linesWith(text, end)
  const [first] = starts
  const [last] = ends
  if (first === undefined && last === undefined) return undefined
  if (first === undefined || last === undefined || starts.length > 1 || ends.length > 1 || last < first) {
    return `its block is damaged: exactly one line ${start}, and after it one line ${end}, are expected`
  }
  const afterEnd = text.indexOf(end, last) + end.length
  const [flag = ''] = /^[ \t]*/.exec(text.slice(afterEnd)) ?? []
  const afterLine = afterEnd + flag.length
  const [, eol = '\n'] = /^[^\r\n]*(\r\n|\n|\r)/.exec(text.slice(first)) ?? []
  const [closing = ''] = END_OF_LINE.exec(text.slice(afterLine)) ?? []
  return { start: first, end: afterEnd, eol, flag, next: afterLine + closing.length }
}

/** The text is of any encoding that holds ASCII, one character a byte; undefined when there is no file. */
const withBlock = (text: string | undefined, lines: readonly string[], style: BlockStyle): Edited => {
  const found = findBlock(text ?? '', style)
  if (typeof found === 'string') return { ok: false, reason: found }
  const eol = found?.eol ?? style.eol ?? (text?.includes('\r\n') ? '\r\n' : '\n')
  const block = [style.start, ...lines, style.end].join(eol)
  if (text === undefined) return { ok: true, text: `${block}${ALONE}${eol}` }
  if (found) return { ok: true, text: text.slice(0, found.start) + block + text.slice(found.end) }
  if (text === '') return { ok: true, text: `${block}${style.isSetOff ? ALONE : ''}${eol}` }
  // Its last line has an end always: what is appended to the file later stays outside.
  if (!text.endsWith('\n')) return { ok: true, text: `${text}${eol}${block}${JOINED}${eol}` }
  return { ok: true, text: `${text}${style.isSetOff ? eol : ''}${block}${eol}` }
}

const withoutLast = (text: string, eol: string): string => (text.endsWith(eol) ? text.slice(0, -eol.length) : text)

const textBefore = (before: string, after: string, { eol, flag }: Block, isSetOff: boolean): string => {
  // Text that was appended meanwhile must stay on a line of its own.
  if (flag === JOINED) return after === '' ? withoutLast(before, eol) : before
  if (flag === ALONE || !isSetOff) return before
  const rest = withoutLast(before, eol)
  return rest.endsWith('\n') ? rest : before
}

/** Restores the text from before the block was added; undefined for a file made for the block that holds only it. */
const withoutBlock = (text: string, style: BlockStyle): Edited | { ok: true; text: undefined } => {
  const found = findBlock(text, style)
  if (typeof found === 'string') return { ok: false, reason: found }
  if (!found) return { ok: true, text }
  const after = text.slice(found.next)
  const left = textBefore(text.slice(0, found.start), after, found, style.isSetOff) + after
  return { ok: true, text: left === '' && found.flag === ALONE && !style.isSetOff ? undefined : left }
}

/** Alone on its line, each. */
export const BRIDGE_START = '<!-- SVC_SHARED_AGENT_BRIDGE:START -->'
export const BRIDGE_END = '<!-- SVC_SHARED_AGENT_BRIDGE:END -->'

const BRIDGE: BlockStyle = { start: BRIDGE_START, end: BRIDGE_END, isSetOff: true }

/** `lines` stand between the markers. */
export const withBridge = (text: string, lines: readonly string[]): Edited => withBlock(text, lines, BRIDGE)

/** Restores the text from before the block was added; no file is ever made for the block, so none is removed. */
export const withoutBridge = (text: string): Edited => {
  const left = withoutBlock(text, BRIDGE)
  return left.ok ? { ok: true, text: left.text ?? '' } : left
}

/** A shell takes a carriage return for a part of the line. */
const SHELL: BlockStyle = { start: '# svc completion: start', end: '# svc completion: end', isSetOff: false, eol: '\n' }

export const withShellBlock = (text: string | undefined, line: string): Edited => withBlock(text, [line], SHELL)

export const withoutShellBlock = (text: string): ReturnType<typeof withoutBlock> => withoutBlock(text, SHELL)
