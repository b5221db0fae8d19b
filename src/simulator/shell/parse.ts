/** The grammar of command lines: lists, pipelines, groups, redirections. */
import type { Cursor, List, Redirect, ShellCommand, SimpleCommand, Step, Word } from './syntax.ts'
import { ShellSyntaxError } from './syntax.ts'
import { atEnd, nested, peek, readWord } from './word.ts'

type Closer = ')' | '}' | undefined

const RESERVED = /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select)$/
const ASSIGNMENT = /^([A-Za-z_]\w*)=/
const REDIRECT = /^(\d?)(>>|>&|<&|<<|>\||>|<)/
const HOW = { '>': 'write', '>|': 'write', '>>': 'append', '<': 'read', '>&': 'copy', '<&': 'copy' } as const

const unexpected = (cursor: Cursor): ShellSyntaxError => {
  if (atEnd(cursor)) return new ShellSyntaxError('syntax error: unexpected end of file', true)
  const token = /^(?:\n|;;|&&|\|\||.)/u.exec(cursor.text.slice(cursor.at, cursor.at + 4))?.[0] ?? ''
  return new ShellSyntaxError(`syntax error: unexpected '${token === '\n' ? 'newline' : token}'`)
}

const skip = (cursor: Cursor, blank: RegExp) => {
  for (;;) {
    while (!atEnd(cursor) && blank.test(peek(cursor))) cursor.at++
    if (cursor.text.startsWith('\\\n', cursor.at)) cursor.at += 2
    else if (peek(cursor) === '#') while (!atEnd(cursor) && peek(cursor) !== '\n') cursor.at++
    else return
  }
}
const skipSpaces = (cursor: Cursor) => skip(cursor, /[^\S\n]/)
const skipLines = (cursor: Cursor) => skip(cursor, /\s/)

/** The text of a word that is nothing but plain characters. */
const plain = (word: Word): string | undefined => {
  const [only, ...more] = word
  return only?.kind === 'text' && !only.quoted && more.length === 0 ? only.text : undefined
}

const redirect = (cursor: Cursor): Redirect | undefined => {
  const match = REDIRECT.exec(cursor.text.slice(cursor.at, cursor.at + 3))
  if (!match) return undefined
  const [whole, fd = '', operator = ''] = match
  if (operator === '<<') throw new ShellSyntaxError('syntax error: here documents are not supported by this shell')
  cursor.at += whole.length
  skipSpaces(cursor)
  const target = readWord(cursor, list)
  if (!target) throw unexpected(cursor)
  const how = HOW[operator as keyof typeof HOW]
  return { fd: fd === '' ? (operator.startsWith('<') ? 0 : 1) : Number(fd), how, target }
}

const redirects = (cursor: Cursor): Redirect[] => {
  const found: Redirect[] = []
  for (;;) {
    skipSpaces(cursor)
    const next = redirect(cursor)
    if (!next) return found
    found.push(next)
  }
}

const assignment = (word: Word): { name: string; value: Word } | undefined => {
  const [first, ...rest] = word
  if (first?.kind !== 'text' || first.quoted) return undefined
  const match = ASSIGNMENT.exec(first.text)
  if (!match) return undefined
  return { name: match[1] ?? '', value: [{ ...first, text: first.text.slice(match[0].length) }, ...rest] }
}

const simple = (cursor: Cursor): SimpleCommand => {
  const assignments: { name: string; value: Word }[] = []
  const words: Word[] = []
  const found: Redirect[] = []
  for (;;) {
    found.push(...redirects(cursor))
    const word = readWord(cursor, list)
    if (!word) break
    const assigned = words.length === 0 ? assignment(word) : undefined
    if (assigned) assignments.push(assigned)
    else words.push(word)
    const name = words.length === 1 && words[0] ? plain(words[0]) : undefined
    if (name !== undefined && RESERVED.test(name)) {
      throw new ShellSyntaxError(`syntax error: '${name}' is not supported by this shell`)
    }
  }
  if (assignments.length + words.length + found.length === 0) throw unexpected(cursor)
  return { kind: 'simple', assignments, words, redirects: found }
}

const command = (cursor: Cursor): ShellCommand => {
  skipSpaces(cursor)
  const closer =
    peek(cursor) === '(' ? ')' : /^\{\s/.test(cursor.text.slice(cursor.at, cursor.at + 2)) ? '}' : undefined
  if (!closer) return simple(cursor)
  cursor.at++
  const inside = nested(cursor, () => list(cursor, closer))
  if (inside.length === 0) throw new ShellSyntaxError(`syntax error: unexpected '${closer}'`)
  return { kind: 'group', list: inside, own: closer === ')', redirects: redirects(cursor) }
}

const pipeline = (cursor: Cursor, when: Step['when']): Step => {
  const negated = /^!\s/.test(cursor.text.slice(cursor.at, cursor.at + 2))
  if (negated) cursor.at++
  const commands = [command(cursor)]
  for (;;) {
    skipSpaces(cursor)
    if (peek(cursor) !== '|' || cursor.text[cursor.at + 1] === '|') return { when, negated, commands }
    cursor.at++
    skipLines(cursor)
    commands.push(command(cursor))
  }
}

const connector = (cursor: Cursor): Step['when'] | undefined => {
  skipSpaces(cursor)
  const pair = cursor.text.slice(cursor.at, cursor.at + 2)
  if (pair === '&&' || pair === '||') {
    cursor.at += 2
    return pair === '&&' ? 'success' : 'failure'
  }
  if (pair === ';;' || (pair[0] !== ';' && pair[0] !== '\n')) return undefined
  cursor.at++
  return 'always'
}

const list = (cursor: Cursor, closer: Closer): List => {
  const steps: Step[] = []
  let when: Step['when'] | undefined = 'always'
  for (;;) {
    skipLines(cursor)
    const closed = closer ? peek(cursor) === closer : atEnd(cursor)
    if (closed && when !== 'success' && when !== 'failure') break
    if (when === undefined) throw unexpected(cursor)
    steps.push(pipeline(cursor, when))
    when = connector(cursor)
  }
  if (closer) cursor.at++
  return steps
}

/** The list that a command line means; throws ShellSyntaxError. */
export const parse = (text: string): List => list({ text, at: 0, depth: 0 }, undefined)
