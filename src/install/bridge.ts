/** The one block in the AGENTS.md that all agents share: put in, replaced and taken out with every other byte kept. */

/** Alone on its line, each. */
export const BRIDGE_START = '<!-- SVC_SHARED_AGENT_BRIDGE:START -->'
export const BRIDGE_END = '<!-- SVC_SHARED_AGENT_BRIDGE:END -->'

export type Bridged =
  | { ok: true; text: string }
  /** Why the file is left alone. */
  | { ok: false; reason: string }

interface Block {
  start: number
  /** Past the marker, without the end of its line. */
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
  const line = text.slice(end).split(/\r?\n/, 1)[0] ?? ''
  return { start, end: end + line.length }
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
  // An end of line after the block says that there was one before it: so that it can be taken out again exactly.
  return { ok: true, text: /\r?\n$/.test(text) ? `${text}${eol}${block}${eol}` : `${text}${eol}${block}` }
}

/** As it was before the block was put in. */
export const withoutBridge = (text: string): Bridged => {
  const found = findBlock(text)
  if (typeof found === 'string') return { ok: false, reason: found }
  if (!found) return { ok: true, text }
  const before = text.slice(0, found.start)
  const after = text.slice(found.end)
  if (!/^\r?\n/.test(after) && after !== '') return { ok: true, text: before + after }
  if (after === '') return { ok: true, text: before.replace(/\r?\n$/, '') }
  return { ok: true, text: before.replace(/(^|\n)\r?\n$/, '$1') + after.replace(/^\r?\n/, '') }
}
