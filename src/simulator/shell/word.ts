/** Reads the words of a command line, and skips the blanks, comments and here-documents between them. */
import {
  type CommandSubstitution,
  type Cursor,
  cursorOver,
  type List,
  NESTING_MAX,
  type Part,
  type PendingDocument,
  ShellSyntaxError,
  type Word,
} from './syntax.ts'

/** Reads a list up to the closing character and past it. */
type ListReader = (cursor: Cursor, closer: ')' | '}' | undefined) => List

const ENDS_WORD = /[\s;&|<>()]/
const NAME = /^(?:[A-Za-z_]\w*|\d|[?$#@*!])/
const ESCAPABLE = { document: '$`\\', quotes: '$`"\\' }

export const atEnd = (cursor: Cursor) => cursor.at >= cursor.text.length
export const peek = (cursor: Cursor) => cursor.text[cursor.at] ?? ''

export const nested = <T>(cursor: Cursor, read: () => T): T => {
  if (++cursor.depth > NESTING_MAX) throw new ShellSyntaxError('syntax error: nested too deeply')
  const result = read()
  cursor.depth--
  return result
}

const singleQuoted = (cursor: Cursor): Part => {
  const end = cursor.text.indexOf("'", cursor.at + 1)
  if (end < 0) throw new ShellSyntaxError('no closing quote', true)
  const text = cursor.text.slice(cursor.at + 1, end)
  cursor.at = end + 1
  return { kind: 'text', text, quoted: true }
}

const backquoted = (cursor: Cursor, quoted: boolean, readList: ListReader): Part => {
  const match = /^`((?:[^`\\]|\\[\s\S])*)`/.exec(cursor.text.slice(cursor.at))
  if (!match) throw new ShellSyntaxError('no closing quote', true)
  cursor.at += match[0].length
  const inner = cursorOver((match[1] ?? '').replace(/\\([`$\\])/g, '$1'), cursor.depth)
  return { kind: 'output', list: nested(inner, () => readList(inner, undefined)), quoted }
}

const braced = (cursor: Cursor, quoted: boolean, readList: ListReader): Part => {
  cursor.at += 2
  const name = NAME.exec(cursor.text.slice(cursor.at))?.[0]
  if (name === undefined) throw new ShellSyntaxError('bad substitution')
  cursor.at += name.length
  if (peek(cursor) === '}') {
    cursor.at++
    return { kind: 'variable', name, quoted }
  }
  const operator = /^:?[-+]/.exec(cursor.text.slice(cursor.at))?.[0]
  if (operator === undefined) throw new ShellSyntaxError('bad substitution', atEnd(cursor))
  cursor.at += operator.length
  const word = nested(cursor, () => parts(cursor, character => character === '}', quoted, readList))
  if (atEnd(cursor)) throw new ShellSyntaxError('bad substitution', true)
  cursor.at++
  const instead: CommandSubstitution = {
    of: operator.endsWith('-') ? 'none' : 'some',
    emptyIsNone: operator.startsWith(':'),
    word,
  }
  return { kind: 'variable', name, quoted, instead }
}

/** Up to the `))` that belongs to it. */
const arithmetic = (cursor: Cursor, quoted: boolean, readList: ListReader): Part => {
  const from = cursor.at + 3
  let open = 0
  for (let at = from; at < cursor.text.length; at += 1) {
    if (cursor.text[at] === '(') open += 1
    if (cursor.text[at] !== ')') continue
    if (open === 0 && cursor.text[at + 1] !== ')') break
    if (open === 0) {
      cursor.at = at + 2
      const inner = cursorOver(cursor.text.slice(from, at), cursor.depth)
      return { kind: 'arithmetic', expression: nested(inner, () => parts(inner, () => false, true, readList)), quoted }
    }
    open -= 1
  }
  throw new ShellSyntaxError("syntax error: no closing '))'", true)
}

/** Reads the content of `$(...)` as any other command, also inside a here-document. */
const output = (cursor: Cursor, quoted: boolean, readList: ListReader): Part => {
  const isDocument = cursor.isDocument ?? false
  cursor.at += 2
  cursor.isDocument = false
  const list = nested(cursor, () => readList(cursor, ')'))
  cursor.isDocument = isDocument
  return { kind: 'output', list, quoted }
}

const dollar = (cursor: Cursor, quoted: boolean, readList: ListReader): Part => {
  const rest = cursor.text.slice(cursor.at + 1, cursor.at + 3)
  if (rest === '((') return arithmetic(cursor, quoted, readList)
  if (rest.startsWith('(')) return output(cursor, quoted, readList)
  if (rest.startsWith('{')) return braced(cursor, quoted, readList)
  const name = NAME.exec(cursor.text.slice(cursor.at + 1, cursor.at + 256))?.[0]
  cursor.at += 1 + (name?.length ?? 0)
  return name === undefined ? { kind: 'text', text: '$', quoted } : { kind: 'variable', name, quoted }
}

const doubleQuoted = (cursor: Cursor, readList: ListReader): Part[] => {
  cursor.at++
  const inner = parts(cursor, character => character === '"', true, readList)
  if (atEnd(cursor)) throw new ShellSyntaxError('no closing quote', true)
  cursor.at++
  return [{ kind: 'text', text: '', quoted: true }, ...inner]
}

const escaped = (cursor: Cursor, quoted: boolean): Part[] => {
  const next = cursor.text[cursor.at + 1]
  cursor.at += next === undefined ? 1 : 2
  if (next === '\n') return []
  if (next === undefined) return [{ kind: 'text', text: '\\', quoted: true }]
  const plain = quoted && !ESCAPABLE[cursor.isDocument ? 'document' : 'quotes'].includes(next)
  return [{ kind: 'text', text: plain ? `\\${next}` : next, quoted: true }]
}

/** The parts up to a character that ends them, which is left unread. */
const parts = (cursor: Cursor, ends: (character: string) => boolean, quoted: boolean, readList: ListReader): Part[] => {
  const found: Part[] = []
  let from = cursor.at
  const flush = () => {
    if (cursor.at > from) found.push({ kind: 'text', text: cursor.text.slice(from, cursor.at), quoted })
  }
  const add = (read: () => Part | Part[]) => {
    flush()
    found.push(...[read()].flat())
    from = cursor.at
  }
  while (!atEnd(cursor) && !ends(peek(cursor))) {
    const character = peek(cursor)
    if (character === '\\') add(() => escaped(cursor, quoted))
    else if (character === '$') add(() => dollar(cursor, quoted, readList))
    else if (character === '`') add(() => backquoted(cursor, quoted, readList))
    else if (character === "'" && !quoted) add(() => singleQuoted(cursor))
    else if (character === '"' && !quoted) add(() => doubleQuoted(cursor, readList))
    else cursor.at++
  }
  flush()
  return found
}

/** The word at the cursor; undefined when there is none. */
export const readWord = (cursor: Cursor, readList: ListReader): Word | undefined => {
  const start = cursor.at
  const word = parts(cursor, character => ENDS_WORD.test(character), false, readList)
  return cursor.at === start ? undefined : word
}

/** Its text is what comes before the line that ends it. */
const readDocument = (
  cursor: Cursor,
  { redirect, end, isPlain, withoutTabs }: PendingDocument,
  readList: ListReader,
) => {
  const lines: string[] = []
  for (;;) {
    if (atEnd(cursor)) throw new ShellSyntaxError(`syntax error: here document '${end}' unclosed`, true)
    const stop = cursor.text.indexOf('\n', cursor.at)
    const whole = cursor.text.slice(cursor.at, stop < 0 ? undefined : stop)
    const line = withoutTabs ? whole.replace(/^\t+/, '') : whole
    cursor.at = stop < 0 ? cursor.text.length : stop + 1
    if (line === end) break
    lines.push(`${line}\n`)
  }
  const text = lines.join('')
  const inner = { ...cursorOver(text, cursor.depth), isDocument: true }
  redirect.target = isPlain
    ? [{ kind: 'text', text, quoted: true }]
    : nested(inner, () => parts(inner, () => false, true, readList))
}

/** Past the end of the line, and past the here-documents that were begun on it. */
export const endLine = (cursor: Cursor, readList: ListReader): void => {
  cursor.at += 1
  for (const awaited of cursor.awaited.splice(0)) readDocument(cursor, awaited, readList)
}

const skip = (cursor: Cursor, blank: RegExp, readList: ListReader) => {
  for (;;) {
    while (!atEnd(cursor) && blank.test(peek(cursor))) {
      if (peek(cursor) === '\n') endLine(cursor, readList)
      else cursor.at += 1
    }
    if (cursor.text.startsWith('\\\n', cursor.at)) cursor.at += 2
    else if (peek(cursor) === '#') while (!atEnd(cursor) && peek(cursor) !== '\n') cursor.at += 1
    else return
  }
}

export const skipSpaces = (cursor: Cursor, readList: ListReader): void => skip(cursor, /[^\S\n]/, readList)
export const skipLines = (cursor: Cursor, readList: ListReader): void => skip(cursor, /\s/, readList)
