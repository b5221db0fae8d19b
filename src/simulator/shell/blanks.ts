/** Skips blanks, comments and ends of lines between the words of a command line, and reads the here-documents there. */
import { type Awaited, type Cursor, cursorOver, type List, ShellSyntaxError } from './syntax.ts'
import { atEnd, nested, parts, peek } from './word.ts'

type ListReader = (cursor: Cursor, closer: ')' | '}' | undefined) => List

/** Its text is what comes before the line that ends it. */
const readDocument = (cursor: Cursor, { redirect, end, isPlain, withoutTabs }: Awaited, readList: ListReader) => {
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
