/** Expands the words of a command, and opens its redirections. */
import { storeFile, whyUnreadable } from '../file-access.ts'
import { FILES_BYTES_MAX, normalPath } from '../files.ts'
import type { PhoneFiles } from '../phone-parts.ts'
import { evaluate } from './arithmetic.ts'
import { bytesInput, discard, emptyInput, type Io, type Output, StreamEnded } from './io.ts'
import { type Scope, variableValue } from './scope.ts'
import type { List, Part, Redirect, Word } from './syntax.ts'

export interface Expansion {
  scope: Scope
  files: PhoneFiles
  /** Runs the list and returns its output. */
  output(list: List): Promise<string>
}

export const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
const WILD = /[*?]/

/** A field in the making: its text, and the same as a file name pattern. */
interface Field {
  text: string
  pattern: string
  wild: boolean
}

const append = (field: Field, text: string, quoted: boolean) => {
  field.text += text
  if (quoted || !WILD.test(text)) {
    field.pattern += escapeRegExp(text)
    return
  }
  field.wild = true
  field.pattern += [...text].map(c => (c === '*' ? '[^/]*' : c === '?' ? '[^/]' : escapeRegExp(c))).join('')
}

/** The files a pattern names; the pattern itself when there are none. Only the last part of a path may be wild. */
const fileNames = ({ text, pattern, wild }: Field, { files, scope }: Expansion): string[] => {
  if (!wild) return [text]
  const folder = text.slice(0, text.lastIndexOf('/') + 1)
  const matcher = new RegExp(`^${pattern}$`, 's')
  const found = (files.list(normalPath(folder, scope.cwd)) ?? [])
    .filter(({ name }) => !name.startsWith('.'))
    .map(({ name }) => folder + name)
    .filter(path => matcher.test(path))
  return found.length > 0 ? found : [text]
}

const partValue = async (part: Part, expansion: Expansion): Promise<string> => {
  if (part.kind === 'text') return part.text
  if (part.kind === 'output') return expansion.output(part.list)
  if (part.kind === 'arithmetic') {
    return String(evaluate(await expandText(part.expression, expansion), name => variableValue(expansion.scope, name)))
  }
  const value = variableValue(expansion.scope, part.name)
  const { instead } = part
  if (!instead) return value ?? ''
  const isNone = value === undefined || (instead.emptyIsNone && value === '')
  return isNone === (instead.of === 'none') ? expandText(instead.word, expansion) : (value ?? '')
}

/** A word where no splitting is wanted: an assignment, the target of a redirection. */
export const expandText = async (word: Word, expansion: Expansion): Promise<string> => {
  let text = ''
  for (const part of word) text += await partValue(part, expansion)
  return text
}

const expandWord = async (word: Word, expansion: Expansion): Promise<string[]> => {
  const fields: Field[] = []
  let current: Field | undefined
  const open = () => {
    current ??= { text: '', pattern: '', wild: false }
    return current
  }
  const close = () => {
    if (current) fields.push(current)
    current = undefined
  }
  for (const part of word) {
    if (part.kind === 'variable' && part.name === '@' && part.quoted) {
      for (const [index, argument] of expansion.scope.positional.slice(1).entries()) {
        if (index > 0) close()
        append(open(), argument, true)
      }
      continue
    }
    const value = await partValue(part, expansion)
    if (part.kind === 'text' || part.quoted) {
      append(open(), value, part.quoted)
      continue
    }
    const [first = '', ...more] = value.split(/[ \t\n]+/)
    if (first) append(open(), first, false)
    for (const piece of more) {
      close()
      if (piece) append(open(), piece, false)
    }
  }
  close()
  return fields.flatMap(field => fileNames(field, expansion))
}

export const expandWords = async (words: readonly Word[], expansion: Expansion): Promise<string[]> => {
  const fields: string[] = []
  for (const word of words) fields.push(...(await expandWord(word, expansion)))
  return fields
}

/** A failure to open, as the shell words it. */
export class RedirectError extends Error {}

const fileOutput = (
  files: PhoneFiles,
  { path, runAs }: { path: string; runAs: string | undefined },
  earlier: Uint8Array,
) => {
  const chunks = [earlier]
  let size = earlier.length
  const write: Output = async bytes => {
    size += bytes.length
    if (size > FILES_BYTES_MAX) throw new StreamEnded()
    chunks.push(bytes)
  }
  return { write, close: () => storeFile(files, path, Buffer.concat(chunks), { runAs }) }
}

export const redirectIo = async (list: readonly Redirect[], io: Io, expansion: Expansion) => {
  const { files, scope } = expansion
  const outputs: (Output | undefined)[] = [undefined, io.stdout, io.stderr]
  const closing: (() => string | undefined)[] = []
  let stdin = io.stdin

  for (const { fd, how, target: word } of list) {
    const target = await expandText(word, expansion)
    if (how === 'copy') {
      const source = outputs[Number(target)]
      if (fd !== 0 && !source) throw new RedirectError(`${target}: bad file descriptor`)
      outputs[fd] = source
      continue
    }
    if (how === 'text') {
      stdin = target === '' ? emptyInput : bytesInput(Buffer.from(target))
      continue
    }
    const path = normalPath(target, scope.cwd)
    if (how === 'read') {
      const denied = whyUnreadable(path, scope.runAs)
      if (denied !== undefined) throw new RedirectError(`can't open ${target}: ${denied}`)
      const content = path === '/dev/null' ? new Uint8Array() : files.read(path)?.content
      if (!content) throw new RedirectError(`can't open ${target}: No such file or directory`)
      stdin = content.length === 0 ? emptyInput : bytesInput(content)
      continue
    }
    if (fd < 1 || fd > 2) throw new RedirectError(`${fd}: bad file descriptor`)
    if (path === '/dev/null') {
      outputs[fd] = discard
      continue
    }
    const earlier = how === 'append' ? files.read(path)?.content : undefined
    const refused = storeFile(files, path, earlier ?? new Uint8Array(), { runAs: scope.runAs })
    if (refused) throw new RedirectError(`can't create ${target}: ${refused}`)
    const output = fileOutput(files, { path, runAs: scope.runAs }, earlier ?? new Uint8Array())
    closing.push(output.close)
    outputs[fd] = output.write
  }

  const [, stdout = discard, stderr = discard] = outputs
  return {
    io: { ...io, stdin, stdout, stderr },
    /** Writes the files out; the reason when one of them cannot be. */
    close: (): string | undefined => closing.map(close => close()).find(reason => reason !== undefined),
  }
}

export type Redirected = Awaited<ReturnType<typeof redirectIo>>
