/** `cat`, `ls`, `rm`, `rmdir`, `mkdir`, `touch`, `cp` and `mv` over the phone's files. */
import { makeFolder, moveEntry, removeTree, storeFile, whyUnreadable, whyUnwritable } from '../../file-access.ts'
import { normalPath } from '../../files.ts'
import type { PhoneEntry } from '../../phone-parts.ts'
import { badFlag, type Command, type Context, fail, failOn, parseFlags } from '../command.ts'

export const MISSING = 'No such file or directory'
export const FOLDER_BYTES = 4_096
const PIECE_BYTES = 256 * 1_024

/** The worst exit code of one go per word. */
const forEach = async (words: readonly string[], work: (word: string) => Promise<number>): Promise<number> => {
  let code = 0
  for (const word of words) code = Math.max(code, await work(word))
  return code
}

export const pathOf = ({ scope }: Context, word: string) => normalPath(word, scope.cwd)

export const sizeOf = (entry: PhoneEntry): number => {
  if (entry.kind === 'file') return entry.content.byteLength
  if (entry.kind === 'link') return entry.target.length
  return entry.kind === 'folder' ? FOLDER_BYTES : 0
}

export const cat: Command = async context => {
  const { args, phone, stdin, out } = context
  const words = args.filter(word => word !== '-u')
  return forEach(words.length === 0 ? ['-'] : words, async word => {
    if (word === '-') {
      for (let chunk = await stdin.read(); chunk; chunk = await stdin.read()) await out(chunk)
      return 0
    }
    const path = pathOf(context, word)
    const denied = whyUnreadable(path, context.scope.runAs)
    if (denied !== undefined) return failOn(context, word, denied)
    const file = phone.files.read(path)
    if (path === '/dev/null' || phone.files.entry(path)?.kind === 'fifo') return 0
    if (!file) return failOn(context, word, phone.files.list(path) ? 'Is a directory' : MISSING)
    for (let at = 0; at < file.content.length; at += PIECE_BYTES) await out(file.content.subarray(at, at + PIECE_BYTES))
    return 0
  })
}

const bits = (mode: number) =>
  [6, 3, 0].flatMap(shift => [...'rwx'].map((c, at) => ((mode >> shift) & (4 >> at) ? c : '-'))).join('')

export const minuteOf = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

const KIND_LETTERS = { file: '-', folder: 'd', link: 'l', fifo: 'p' } as const

export const permissionsOf = ({ kind, mode }: PhoneEntry): string => `${KIND_LETTERS[kind]}${bits(mode)}`

const describe = (name: string, entry: PhoneEntry): string => {
  const links = entry.kind === 'folder' ? 2 : 1
  const target = entry.kind === 'link' ? ` -> ${entry.target}` : ''
  return `${permissionsOf(entry)} ${links} shell shell ${String(sizeOf(entry)).padStart(8)} ${minuteOf(entry.mtime)} ${name}${target}`
}

export const ls: Command = async context => {
  const { phone, out, scope } = context
  const flags = parseFlags(context.args, { on: 'laA1dRhtrFpn' })
  if (flags.bad) return badFlag(context, flags)
  const row = (name: string, entry: PhoneEntry) => (flags.has('l') ? describe(name, entry) : name)
  const words = flags.rest.length > 0 ? flags.rest : ['.']
  return forEach(words, async word => {
    const path = pathOf(context, word)
    const denied = whyUnreadable(path, scope.runAs)
    if (denied !== undefined) return failOn(context, word, denied)
    const entry = phone.files.entry(path)
    const isListed = entry?.kind === 'folder' || (entry?.kind === 'link' && !flags.has('l'))
    const entries = isListed || word.endsWith('/') ? phone.files.list(path) : undefined
    if (!entry) return failOn(context, word, MISSING)
    if (flags.has('d') || !entries) return out(`${row(word, entry)}\n`)
    const visible = entries.filter(({ name }) => flags.has('a') || flags.has('A') || !name.startsWith('.'))
    if (words.length > 1) await out(`${word}:\n`)
    if (flags.has('l')) await out(`total ${visible.length * 4}\n`)
    return out(visible.map(one => `${row(one.name, one.entry)}\n`).join(''))
  })
}

export const rm: Command = async context => {
  const flags = parseFlags(context.args, { on: 'fRrv' })
  if (flags.bad) return badFlag(context, flags)
  const { files } = context.phone
  return forEach(flags.rest, async word => {
    const path = pathOf(context, word)
    const denied = whyUnreadable(path, context.scope.runAs)
    const entry = denied === undefined ? files.entry(path) : undefined
    if (denied === undefined && !entry) return flags.has('f') ? 0 : failOn(context, word, MISSING)
    if (entry?.kind === 'folder' && !flags.has('r') && !flags.has('R')) return failOn(context, word, 'is a directory')
    const refused = removeTree(files, path, context.scope.runAs)
    return refused === undefined ? 0 : failOn(context, word, refused)
  })
}

export const rmdir: Command = async context => {
  const { files } = context.phone
  return forEach(
    context.args.filter(word => !word.startsWith('-')),
    async word => {
      const path = pathOf(context, word)
      const denied = whyUnwritable(path, context.scope.runAs)
      const entries = files.list(path)
      const refused =
        denied ?? (entries === undefined ? MISSING : entries.length > 0 ? 'Directory not empty' : undefined)
      if (refused !== undefined) return fail(context, `rmdir: '${word}': ${refused}`)
      files.remove(path)
      return 0
    },
  )
}

export const mkdir: Command = async context => {
  const flags = parseFlags(context.args, { on: 'pv', valued: 'm' })
  if (flags.bad) return badFlag(context, flags)
  return forEach(flags.rest, async word => {
    const refused = makeFolder(context.phone.files, pathOf(context, word), flags.has('p'), context.scope.runAs)
    return refused === undefined ? 0 : fail(context, `mkdir: '${word}': ${refused}`)
  })
}

export const touch: Command = async context => {
  const { files } = context.phone
  const flags = parseFlags(context.args, { on: 'acm', valued: 'dtr' })
  if (flags.bad) return badFlag(context, flags)
  return forEach(flags.rest, async word => {
    const path = pathOf(context, word)
    const earlier = files.read(path)
    if (files.list(path) || (!earlier && flags.has('c'))) return 0
    const refused = storeFile(files, path, earlier?.content ?? new Uint8Array(), {
      mode: earlier?.mode,
      runAs: context.scope.runAs,
    })
    return refused === undefined ? 0 : fail(context, `touch: '${word}': ${refused}`)
  })
}

const carry =
  (moves: boolean): Command =>
  async context => {
    const { phone, scope } = context
    const { files } = phone
    const { runAs } = scope
    const flags = parseFlags(context.args, { on: 'afprRvnT' })
    if (flags.bad) return badFlag(context, flags)
    const sources = flags.rest.slice(0, -1)
    const target = flags.rest.at(-1)
    if (target === undefined || sources.length === 0) return fail(context, `${context.name}: Needs 2 arguments`)
    return forEach(sources, async word => {
      const source = pathOf(context, word)
      const denied = whyUnreadable(source, runAs)
      if (denied !== undefined) return failOn(context, word, denied)
      const entry = files.entry(source)
      const file = files.read(source)
      if (!entry) return failOn(context, word, MISSING)
      if (!moves && !file) return failOn(context, word, 'is a directory')
      const destination = pathOf(context, target)
      const isInto = !flags.has('T') && files.list(destination) !== undefined
      const path = isInto ? `${destination}/${source.slice(source.lastIndexOf('/') + 1)}` : destination
      if (path === source) return 0
      const refused = moves
        ? moveEntry(files, source, path, runAs)
        : storeFile(files, path, file?.content ?? new Uint8Array(), { mode: file?.mode, runAs })
      return refused === undefined ? 0 : fail(context, `${context.name}: bad '${target}': ${refused}`)
    })
  }

export const cp = carry(false)
export const mv = carry(true)
