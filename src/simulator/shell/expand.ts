/** Turns the words of a command line into what the command gets: variables, output of commands, file names. */
import { normalPath } from '../files.ts'
import type { PhoneFiles } from '../phone-parts.ts'
import { evaluate } from './arithmetic.ts'
import { type Scope, variableValue } from './scope.ts'
import type { List, Part, Word } from './syntax.ts'

export interface Expansion {
  scope: Scope
  files: PhoneFiles
  /** Runs the list and returns its output. */
  output(list: List): Promise<string>
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
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
