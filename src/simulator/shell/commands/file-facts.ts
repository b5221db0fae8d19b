/** `stat`, `find`, `df` and `realpath`: facts of the phone's files. */
import { whyUnreadable } from '../../file-access.ts'
import { normalPath } from '../../files.ts'
import type { PhoneEntry } from '../../phone-parts.ts'
import { badFlag, type Command, type Context, fail, parseFlags } from '../command.ts'
import { MISSING, minuteOf, pathOf, permissionsOf, sizeOf } from './files.ts'

const TYPE_BITS = { file: 0o100000, folder: 0o040000, link: 0o120000, fifo: 0o010000 } as const
const KIND_WORDS = { file: 'regular file', folder: 'directory', link: 'symbolic link', fifo: 'fifo' } as const

const seconds = ({ mtime }: PhoneEntry) => String(Math.floor(mtime / 1_000))

const FIELDS: Readonly<Record<string, (word: string, entry: PhoneEntry) => string>> = {
  a: (_, { mode }) => mode.toString(8),
  A: (_, entry) => permissionsOf(entry),
  f: (_, { kind, mode }) => (TYPE_BITS[kind] | mode).toString(16),
  F: (_, entry) =>
    entry.kind === 'file' && entry.content.length === 0 ? 'regular empty file' : KIND_WORDS[entry.kind],
  n: word => word,
  s: (_, entry) => String(sizeOf(entry)),
  U: () => 'shell',
  y: (_, entry) => `${minuteOf(entry.mtime)}:00`,
  Y: (_, entry) => seconds(entry),
}

/** The entry itself, or where its links lead. */
const entryAt = ({ phone: { files } }: Context, path: string, follows: boolean): PhoneEntry | undefined => {
  const entry = files.entry(path)
  if (!follows || entry?.kind !== 'link') return entry
  const file = files.read(path)
  if (file) return { kind: 'file', ...file }
  return files.list(path) && { kind: 'folder', mode: 0o771, mtime: entry.mtime }
}

export const stat: Command = async context => {
  const flags = parseFlags(context.args, { on: 'L', valued: 'c' })
  if (flags.bad) return badFlag(context, flags)
  const format = flags.value('c') ?? '  File: %n\n  Size: %s\t%F\nAccess: (0%a/%A)\tUid: (2000/%U)\nModify: %y'
  let code = 0
  for (const word of flags.rest) {
    const path = pathOf(context, word)
    const denied = whyUnreadable(path, context.scope.runAs)
    const entry = denied === undefined ? entryAt(context, path, flags.has('L')) : undefined
    if (!entry) code = await fail(context, `stat: '${word}': ${denied ?? MISSING}`)
    else
      await context.out(
        `${format.replace(/%(\w)/g, (whole, field: string) => FIELDS[field]?.(word, entry) ?? whole)}\n`,
      )
  }
  return code
}

const TYPES: Readonly<Record<string, PhoneEntry['kind']>> = { f: 'file', d: 'folder', l: 'link', p: 'fifo' }
/** A command line takes so many words. */
const WORDS_AT_ONCE = 500

interface Search {
  least: number
  most: number
  kind: PhoneEntry['kind'] | undefined
  end: '\n' | '\0'
  /** A command that all paths together are handed to. */
  command: readonly string[] | undefined
}

const readSearch = (words: readonly string[]): Search | string => {
  const search: Search = { least: 0, most: Number.POSITIVE_INFINITY, kind: undefined, end: '\n', command: undefined }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '-mindepth') search.least = Number(words[++at])
    else if (word === '-maxdepth') search.most = Number(words[++at])
    else if (word === '-type') search.kind = TYPES[words[++at] ?? '']
    else if (word === '-print0') search.end = '\0'
    else if (word === '-exec') {
      const end = words.indexOf('+', at)
      if (end < 0 || words[end - 1] !== '{}') return 'find: -exec needs {} +'
      search.command = words.slice(at + 1, end - 1)
      at = end
    } else if (word !== '-print') return `find: bad arg '${word}'`
  }
  return search
}

/** The start may be a link to a folder with `-H`, or with a slash at its end. */
export const find: Command = async context => {
  const { args, phone, scope, out } = context
  const follows = args[0] === '-H' || args[0] === '-L'
  const words = follows ? args.slice(1) : args
  const first = words.findIndex(word => word.startsWith('-'))
  const starts = first < 0 ? words : words.slice(0, first)
  const search = readSearch(first < 0 ? [] : words.slice(first))
  if (typeof search === 'string') return fail(context, search)
  const found: string[] = []
  let code = 0
  const walk = async (word: string, depth: number): Promise<void> => {
    const path = pathOf(context, word)
    const denied = whyUnreadable(path, scope.runAs)
    const entry = entryAt(context, path, depth === 0 && (follows || word.endsWith('/')))
    if (!entry || denied !== undefined) {
      code = await fail(context, `find: '${word}': ${denied ?? MISSING}`)
      return
    }
    if (depth >= search.least && (search.kind === undefined || search.kind === entry.kind)) found.push(word)
    if (entry.kind !== 'folder' || depth >= search.most) return
    for (const { name } of phone.files.list(path) ?? []) await walk(`${word.replace(/\/$/, '')}/${name}`, depth + 1)
  }
  for (const start of starts.length === 0 ? ['.'] : starts) await walk(start, 0)
  if (!search.command) {
    await out(found.map(path => `${path}${search.end}`).join(''))
    return code
  }
  for (let at = 0; at < found.length; at += WORDS_AT_ONCE)
    code = Math.max(code, await context.call([...search.command, ...found.slice(at, at + WORDS_AT_ONCE)]))
  return code
}

const BLOCK_BYTES = 1_024

export const df: Command = async context => {
  const flags = parseFlags(context.args, { on: 'hk' })
  if (flags.bad) return badFlag(context, flags)
  const [word = '/data'] = flags.rest
  const path = pathOf(context, word)
  if (!context.phone.files.entry(path)) return fail(context, `df: ${word}: ${MISSING}`)
  const { total, used } = context.phone.files.space()
  const blocks = (bytes: number) => String(Math.floor(bytes / BLOCK_BYTES)).padStart(9)
  const percent = `${Math.ceil((100 * used) / total)}%`.padStart(4)
  const mount = path.startsWith('/sdcard') ? '/storage/emulated' : '/data'
  return context.out(
    'Filesystem     1K-blocks      Used Available Use% Mounted on\n' +
      `/dev/block/dm-9 ${blocks(total)} ${blocks(used)} ${blocks(total - used)} ${percent} ${mount}\n`,
  )
}

export const realpath: Command = async context => {
  let code = 0
  for (const word of context.args.filter(each => !each.startsWith('-'))) {
    const path = pathOf(context, word)
    if (entryAt(context, path, true)) await context.out(`${normalPath(context.phone.files.realPath(path))}\n`)
    else code = await fail(context, `realpath: ${word}: ${MISSING}`)
  }
  return code
}
