/** The one block in the AGENTS.md that all agents share: put in, replaced and taken out with every other byte kept. */

/** Alone on its line, each. */
export const BRIDGE_START = '<!-- SVC_SHARED_AGENT_BRIDGE:START -->'
export const BRIDGE_END = '<!-- SVC_SHARED_AGENT_BRIDGE:END -->'

/** After the END marker: the text before the block had no end of line, which has to go with the block. */
const JOINED = ' '

export type Bridged =
  | { ok: true; text: string }
  /** Why the file is left alone. */
  | { ok: false; reason: string }

interface Block {
  start: number
  /** Past the marker, without the rest of its line. */
  end: number
}

const linesWith = (text: string, marker: string): number[] =>
  [...text.matchAll(/[^\r\n]+/g)].filter(([line]) => line.trim() === marker).map(({ index }) => index)

const findBlock = (text: string): Block | undefined | string => {
  const starts = linesWith(text, BRIDGE_START)
  const ends = linesWith(text, BRIDGE_END)
  const [start] = starts
  const [end] = ends
  if (start === undefined && end === undefined) return undefined
  if (start === undefined || end === undefined || starts.length > 1 || ends.length > 1 || end < start) {
    return `its block is damaged: exactly one line ${BRIDGE_START}, and after it one line ${BRIDGE_END}, are expected`
  }
  return { start, end: text.indexOf(BRIDGE_END, end) + BRIDGE_END.length }
}

const endOfLine = (text: string) => (/\r\n/.test(text) ? '\r\n' : '\n')

/** `lines` stand between the markers. The text is of any encoding that holds ASCII, one character a byte. */
export const withBridge = (text: string, lines: readonly string[]): Bridged => {
  const eol = endOfLine(text)
  const block = [BRIDGE_START, ...lines, BRIDGE_END].join(eol)
  const found = findBlock(text)
  if (typeof found === 'string') return { ok: false, reason: found }
  if (found) return { ok: true, text: text.slice(0, found.start) + block + text.slice(found.end) }
  if (text === '') return { ok: true, text: block + eol }
  // Its last line has an end always: what is appended to the file later stays outside.
  return { ok: true, text: `${text}${eol}${block}${/\r?\n$/.test(text) ? '' : JOINED}${eol}` }
}

/** As it was before the block was put in. */
export const withoutBridge = (text: string): Bridged => {
  const found = findBlock(text)
  if (typeof found === 'string') return { ok: false, reason: found }
  if (!found) return { ok: true, text }
  const before = text.slice(0, found.start)
  const wasJoined = text.startsWith(JOINED, found.end)
  const after = text.slice(found.end).replace(/^[^\r\n]*(\r?\n)?/, '')
  if (!wasJoined) return { ok: true, text: before.replace(/(^|\n)\r?\n$/, '$1') + after }
  return { ok: true, text: after === '' ? before.replace(/\r?\n$/, '') : before + after }
}
