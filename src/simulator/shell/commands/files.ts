/** `cat`, `ls`, `rm`, `mkdir`, `touch`, `cp`, `mv` and `stat` over the phone's files. */
import { makeFolder, normalPath, removeTree, shellMayWrite, storeFile } from '../../files.ts'
import type { PhoneFile } from '../../phone-parts.ts'
import { badFlag, type Command, type Context, fail, failOn, parseFlags } from '../command.ts'

const MISSING = 'No such file or directory'
const PIECE_BYTES = 256 * 1_024

/** The worst exit code of one go per word. */
const forEach = async (words: readonly string[], work: (word: string) => Promise<number>): Promise<number> => {
  let code = 0
  for (const word of words) code = Math.max(code, await work(word))
  return code
}

const pathOf = ({ scope }: Context, word: string) => normalPath(word, scope.cwd)

export const cat: Command = async context => {
  const { args, phone, stdin, out } = context
  const words = args.filter(word => word !== '-u')
  return forEach(words.length === 0 ? ['-'] : words, async word => {
    if (word === '-') {
      for (let chunk = await stdin.read(); chunk; chunk = await stdin.read()) await out(chunk)
      return 0
    }
    const path = pathOf(context, word)
    const file = phone.files.read(path)
    if (path === '/dev/null') return 0
    if (!file) return failOn(context, word, phone.files.list(path) ? 'Is a directory' : MISSING)
    for (let at = 0; at < file.content.length; at += PIECE_BYTES) await out(file.content.subarray(at, at + PIECE_BYTES))
    return 0
  })
}

const bits = (mode: number) =>
  [6, 3, 0].flatMap(shift => [...'rwx'].map((c, at) => ((mode >> shift) & (4 >> at) ? c : '-'))).join('')

const minuteOf = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

const describe = (name: string, file: PhoneFile | undefined): string => {
  const size = String(file?.content.byteLength ?? 4_096)
  const mode = file ? `-${bits(file.mode)}` : `d${bits(0o771)}`
  return `${mode} ${file ? 1 : 2} shell shell ${size.padStart(8)} ${minuteOf(file?.mtime ?? 0)} ${name}`
}

export const ls: Command = async context => {
  const { phone, out } = context
  const flags = parseFlags(context.args, { on: 'laA1dRhtrFpn' })
  if (flags.bad) return badFlag(context, flags)
  const row = (name: string, file: PhoneFile | undefined) => (flags.has('l') ? describe(name, file) : name)
  const words = flags.rest.length > 0 ? flags.rest : ['.']
  return forEach(words, async word => {
    const path = pathOf(context, word)
    const file = phone.files.read(path)
    const entries = phone.files.list(path)
    if (!file && !entries) return failOn(context, word, MISSING)
    if (file || flags.has('d') || !entries) return out(`${row(word, file)}\n`)
    const shown = entries.filter(({ name }) => flags.has('a') || flags.has('A') || !name.startsWith('.'))
    if (words.length > 1) await out(`${word}:\n`)
    if (flags.has('l')) await out(`total ${shown.length * 4}\n`)
    return out(shown.map(entry => `${row(entry.name, entry.file)}\n`).join(''))
  })
}

export const rm: Command = async context => {
  const flags = parseFlags(context.args, { on: 'fRrv' })
  if (flags.bad) return badFlag(context, flags)
  const { files } = context.phone
  return forEach(flags.rest, async word => {
    const path = pathOf(context, word)
    const isFolder = files.list(path) !== undefined
    if (!isFolder && !files.read(path)) return flags.has('f') ? 0 : failOn(context, word, MISSING)
    if (isFolder && !flags.has('r') && !flags.has('R')) return failOn(context, word, 'is a directory')
    const refused = removeTree(files, path)
    return refused === undefined ? 0 : failOn(context, word, refused)
  })
}

export const mkdir: Command = async context => {
  const flags = parseFlags(context.args, { on: 'pv', valued: 'm' })
  if (flags.bad) return badFlag(context, flags)
  return forEach(flags.rest, async word => {
    const refused = makeFolder(context.phone.files, pathOf(context, word), flags.has('p'))
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
    const refused = storeFile(files, path, earlier?.content ?? new Uint8Array(), { mode: earlier?.mode })
    return refused === undefined ? 0 : fail(context, `touch: '${word}': ${refused}`)
  })
}

const carry =
  (removeSource: boolean): Command =>
  async context => {
    const { files } = context.phone
    const flags = parseFlags(context.args, { on: 'afprRvn' })
    if (flags.bad) return badFlag(context, flags)
    const sources = flags.rest.slice(0, -1)
    const target = flags.rest.at(-1)
    if (target === undefined || sources.length === 0) return fail(context, `${context.name}: Needs 2 arguments`)
    return forEach(sources, async word => {
      const source = pathOf(context, word)
      const file = files.read(source)
      if (!file) return failOn(context, word, files.list(source) ? 'is a directory' : MISSING)
      if (removeSource && !shellMayWrite(source)) return failOn(context, word, 'Read-only file system')
      const given = pathOf(context, target)
      const path = files.list(given) ? `${given}/${source.slice(source.lastIndexOf('/') + 1)}` : given
      if (path === source) return 0
      const refused = storeFile(files, path, file.content, { mode: file.mode })
      if (refused !== undefined) return fail(context, `${context.name}: bad '${target}': ${refused}`)
      if (removeSource) files.remove(source)
      return 0
    })
  }

export const cp = carry(false)
export const mv = carry(true)

const STAT_FIELDS: Readonly<Record<string, (path: string, file: PhoneFile | undefined) => string>> = {
  a: (_, file) => (file?.mode ?? 0o771).toString(8),
  A: (path, file) => describe(path, file).split(' ')[0] ?? '',
  F: (_, file) => (file ? 'regular file' : 'directory'),
  n: path => path,
  s: (_, file) => String(file?.content.byteLength ?? 4_096),
  U: () => 'shell',
  y: (_, file) => `${minuteOf(file?.mtime ?? 0)}:00`,
  Y: (_, file) => String(Math.floor((file?.mtime ?? 0) / 1_000)),
}

export const stat: Command = async context => {
  const flags = parseFlags(context.args, { on: 'Lf', valued: 'c' })
  if (flags.bad) return badFlag(context, flags)
  const format = flags.value('c') ?? '  File: %n\n  Size: %s\t%F\nAccess: (0%a/%A)\tUid: (2000/%U)\nModify: %y'
  return forEach(flags.rest, async word => {
    const path = pathOf(context, word)
    const file = context.phone.files.read(path)
    if (!file && !context.phone.files.list(path)) return fail(context, `stat: '${word}': ${MISSING}`)
    await context.out(
      `${format.replace(/%(\w)/g, (whole, field: string) => STAT_FIELDS[field]?.(word, file) ?? whole)}\n`,
    )
    return 0
  })
}

const BLOCK_BYTES = 1_024

/** The space of the one file system that this device has, in blocks of 1 KiB. */
export const df: Command = async context => {
  const { args, phone, out } = context
  const [path = '/sdcard'] = args.filter(word => !word.startsWith('-'))
  const place = normalPath(path, context.scope.cwd)
  if (!phone.files.list(place) && !phone.files.read(place)) return failOn(context, path, MISSING)
  const { all, used } = phone.files.space?.() ?? { all: 0, used: 0 }
  const [blocks, taken] = [Math.floor(all / BLOCK_BYTES), Math.ceil(used / BLOCK_BYTES)]
  const row = (cells: readonly (string | number)[]) =>
    `${String(cells[0]).padEnd(15)}${cells
      .slice(1, 4)
      .map(cell => String(cell).padStart(10))
      .join('')} ${cells[4]} ${cells[5]}\n`
  await out(row(['Filesystem', '1K-blocks', 'Used', 'Available', 'Use%', 'Mounted on']))
  const share = blocks === 0 ? '100%' : `${Math.ceil((taken * 100) / blocks)}%`
  return out(row(['/dev/block/dm-5', blocks, taken, Math.max(0, blocks - taken), share, '/data']))
}
