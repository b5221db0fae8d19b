/** The grammar of command lines: lists, pipelines, groups, branches, loops, redirections. */
import {
  type Compound,
  type Cursor,
  cursorOver,
  type For,
  type If,
  type List,
  moveToBackground,
  type Redirect,
  type ShellCommand,
  ShellSyntaxError,
  type SimpleCommand,
  type Step,
  type While,
  type Word,
} from './syntax.ts'
import {
  atEnd,
  endLine,
  nested,
  peek,
  readWord,
  skipLines as skipLinesWith,
  skipSpaces as skipSpacesWith,
} from './word.ts'

/** The end of a list: a character, or a word in the place of a command. */
type Closer = ')' | '}' | 'then' | 'elif' | 'else' | 'fi' | 'do' | 'done'

const ASSIGNMENT = /^([A-Za-z_]\w*)=/
const NAME = /^[A-Za-z_]\w*$/
const REDIRECT = /^(\d?)(>>|>&|<&|<<<|<<-|<<|>\||>|<)/
const HOW = { '>': 'write', '>|': 'write', '>>': 'append', '<': 'read', '>&': 'copy', '<&': 'copy' } as const
const REFUSED = ['case', 'function', 'select']
const RESERVED = ['then', 'elif', 'else', 'fi', 'do', 'done', 'in', 'esac']
const PLAIN_WORD = /^[a-z]+(?=[\s;&|<>()]|$)/

/** The word at the cursor, if it is one that could be reserved. */
const keyword = (cursor: Cursor): string | undefined =>
  PLAIN_WORD.exec(cursor.text.slice(cursor.at, cursor.at + 12))?.[0]

const unexpected = (cursor: Cursor): ShellSyntaxError => {
  if (atEnd(cursor)) return new ShellSyntaxError('syntax error: unexpected end of file', true)
  const token = keyword(cursor) ?? /^(?:\n|;;|&&|\|\||.)/u.exec(cursor.text.slice(cursor.at, cursor.at + 4))?.[0] ?? ''
  return new ShellSyntaxError(`syntax error: unexpected '${token === '\n' ? 'newline' : token}'`)
}

const skipSpaces = (cursor: Cursor) => skipSpacesWith(cursor, list)
const skipLines = (cursor: Cursor) => skipLinesWith(cursor, list)

/** The line that ends a here-document; if any part of it is quoted, the text is taken literally. */
const documentEnd = (word: Word): { end: string; isPlain: boolean } => {
  const texts = word.map(part => (part.kind === 'text' ? part.text : undefined))
  if (texts.includes(undefined)) throw new ShellSyntaxError('syntax error: here document with a computed end')
  return { end: texts.join(''), isPlain: word.some(({ quoted }) => quoted) }
}

const redirect = (cursor: Cursor): Redirect | undefined => {
  const match = REDIRECT.exec(cursor.text.slice(cursor.at, cursor.at + 4))
  if (!match) return undefined
  const [whole, fd = '', operator = ''] = match
  cursor.at += whole.length
  skipSpaces(cursor)
  const target = readWord(cursor, list)
  if (!target) throw unexpected(cursor)
  const descriptor = fd === '' ? (operator.startsWith('<') ? 0 : 1) : Number(fd)
  if (operator === '<<<') {
    return { fd: descriptor, how: 'text', target: [...target, { kind: 'text', text: '\n', quoted: true }] }
  }
  if (operator === '<<' || operator === '<<-') {
    const document: Redirect = { fd: descriptor, how: 'text', target: [] }
    cursor.awaited.push({ redirect: document, ...documentEnd(target), withoutTabs: operator === '<<-' })
    return document
  }
  return { fd: descriptor, how: HOW[operator as keyof typeof HOW], target }
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
  }
  if (assignments.length + words.length + found.length === 0) throw unexpected(cursor)
  return { kind: 'simple', assignments, words, redirects: found }
}

/** A list that is not empty, and which of the closers came after it; that one is read as well. */
const block = <const C extends Closer>(cursor: Cursor, ...closers: C[]): { inside: List; closer: C } => {
  const inside = listUntil(cursor, closers)
  const closer = closerAt(cursor, closers)
  if (closer === undefined || inside.length === 0) throw unexpected(cursor)
  cursor.at += closer.length
  return { inside, closer: closer as C }
}

const branches = (cursor: Cursor): Omit<If, 'redirects'> => {
  const found: { test: List; body: List }[] = []
  for (;;) {
    const test = block(cursor, 'then').inside
    const { inside: body, closer } = block(cursor, 'elif', 'else', 'fi')
    found.push({ test, body })
    if (closer === 'elif') continue
    return { kind: 'if', branches: found, otherwise: closer === 'else' ? block(cursor, 'fi').inside : undefined }
  }
}

const forLoop = (cursor: Cursor): Omit<For, 'redirects'> => {
  skipSpaces(cursor)
  const [name] = readWord(cursor, list) ?? []
  if (name?.kind !== 'text' || !NAME.test(name.text)) throw unexpected(cursor)
  skipLines(cursor)
  let words: Word[] | undefined
  if (keyword(cursor) === 'in') {
    cursor.at += 2
    words = []
    for (skipSpaces(cursor); ; skipSpaces(cursor)) {
      const word = readWord(cursor, list)
      if (!word) break
      words.push(word)
    }
  }
  if (peek(cursor) === ';' && cursor.text[cursor.at + 1] !== ';') cursor.at += 1
  skipLines(cursor)
  if (keyword(cursor) !== 'do') throw unexpected(cursor)
  cursor.at += 2
  return { kind: 'for', name: name.text, words, body: block(cursor, 'done').inside }
}

const whileLoop = (cursor: Cursor, untilSuccess: boolean): Omit<While, 'redirects'> => {
  const test = block(cursor, 'do').inside
  return { kind: 'while', untilSuccess, test, body: block(cursor, 'done').inside }
}

const group = (cursor: Cursor, closer: ')' | '}') => {
  cursor.at += 1
  return { kind: 'group' as const, list: block(cursor, closer).inside, own: closer === ')' }
}

type BareCommand<T> = T extends Compound ? Omit<T, 'redirects'> : never

const compound = (cursor: Cursor): BareCommand<Compound> | undefined => {
  if (peek(cursor) === '(') return group(cursor, ')')
  if (/^\{\s/.test(cursor.text.slice(cursor.at, cursor.at + 2))) return group(cursor, '}')
  const word = keyword(cursor)
  if (word === undefined) return undefined
  if (REFUSED.includes(word)) throw new ShellSyntaxError(`syntax error: '${word}' is not supported by this shell`)
  if (RESERVED.includes(word)) throw unexpected(cursor)
  if (!['if', 'for', 'while', 'until'].includes(word)) return undefined
  cursor.at += word.length
  if (word === 'if') return branches(cursor)
  return word === 'for' ? forLoop(cursor) : whileLoop(cursor, word === 'until')
}

const command = (cursor: Cursor): ShellCommand => {
  skipSpaces(cursor)
  const found = nested(cursor, () => compound(cursor))
  return found ? { ...found, redirects: redirects(cursor) } : simple(cursor)
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
  if (pair === ';;' || (pair[0] !== ';' && pair[0] !== '&' && pair[0] !== '\n')) return undefined
  if (pair[0] === '\n') endLine(cursor, list)
  else cursor.at++
  return 'always'
}

const closerAt = (cursor: Cursor, closers: readonly Closer[]): Closer | undefined =>
  closers.find(closer => (closer.length === 1 ? peek(cursor) : keyword(cursor)) === closer)

/** Up to a closer, which is left unread; without any, up to the end. */
const listUntil = (cursor: Cursor, closers: readonly Closer[]): List => {
  const steps: Step[] = []
  let when: Step['when'] | undefined = 'always'
  for (;;) {
    skipLines(cursor)
    const closed = closers.length === 0 ? atEnd(cursor) : closerAt(cursor, closers) !== undefined
    if (closed && when !== 'success' && when !== 'failure') return steps
    if (when === undefined) throw unexpected(cursor)
    steps.push(pipeline(cursor, when))
    skipSpaces(cursor)
    const isBackground = peek(cursor) === '&' && cursor.text[cursor.at + 1] !== '&'
    when = connector(cursor)
    if (isBackground) moveToBackground(steps)
  }
}

const list = (cursor: Cursor, closer: ')' | '}' | undefined): List => {
  const steps = listUntil(cursor, closer ? [closer] : [])
  if (closer) cursor.at++
  return steps
}

/** The list that a command line means; throws ShellSyntaxError. */
export const parse = (text: string): List => {
  const cursor = cursorOver(text)
  const steps = list(cursor, undefined)
  const [unclosed] = cursor.awaited
  if (unclosed) throw new ShellSyntaxError(`syntax error: here document '${unclosed.end}' unclosed`, true)
  return steps
}
