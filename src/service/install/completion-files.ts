/** `svc completion <shell> --install`: where each shell finds its script, and how it goes again. */
import { basename, dirname, join } from 'node:path'
import { SHARED_GUIDE_BYTES_MAX, STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { missingParents } from './hosts.ts'
import { withoutShellBlock, withShellBlock } from './marked-block.ts'
import {
  type Entry,
  emptyPlan,
  entryAt,
  joinPlans,
  missingFolders,
  ownerOnly,
  type Plan,
  readRegular,
  sha256,
} from './plan.ts'
import { planRecord } from './record.ts'
import { physicalPath } from './safe-folder.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

interface CompletionPlaces {
  shell: Shell
  /** `~/.svc`. */
  home: string
  userHome: string
  /** ZDOTDIR. */
  zshFolder?: string | undefined
  /** XDG_CONFIG_HOME. */
  configHome?: string | undefined
}

/** A script that the installer wrote begins so; a file that does not is somebody else's. */
const OURS = /^(#compdef svc\n)?# svc completion for (bash|zsh|fish)\./

const BYTES = 'latin1'

/** The last line of a script that is installed: whoever changes the script keeps it. */
const SEAL = '# svc: sha256 '
const SEALED = new RegExp(`^([\\s\\S]*\\n)${SEAL}([0-9a-f]{64})\\n$`)

const sealed = (script: string): string => `${script}\n${SEAL}${sha256(`${script}\n`)}\n`

/** Earlier versions wrote no seal. */
const scriptOwner = (text: string): 'ours' | 'edited' | 'foreign' => {
  if (!OURS.test(text)) return 'foreign'
  const [, body = '', digest] = SEALED.exec(text) ?? []
  if (digest === undefined) return text.includes(`\n${SEAL}`) ? 'edited' : 'ours'
  return sha256(Buffer.from(body, BYTES)) === digest ? 'ours' : 'edited'
}

const KEPT = {
  foreign: 'was not written by svc: left unchanged',
  edited: 'edited since svc wrote it: left unchanged; move it away to get the script of this version',
}

const NEW_FILE_MODE = 0o644

const quoted = (path: string) => `'${path.replaceAll("'", `'\\''`)}'`

interface Files {
  script: string
  /** Read at the start of the shell; fish looks into a folder instead. */
  start: string | undefined
}

const completionFiles = ({ shell, home, userHome, zshFolder, configHome }: CompletionPlaces): Files => {
  if (shell === 'fish') {
    const config = configHome?.trim() || join(userHome, '.config')
    return { script: join(config, 'fish', 'completions', 'svc.fish'), start: undefined }
  }
  const start = shell === 'bash' ? join(userHome, '.bashrc') : join(zshFolder?.trim() || userHome, '.zshrc')
  return { script: join(home, 'completion', `svc.${shell}`), start }
}

const planScript = (path: string, script: string): Plan => {
  const plan = emptyPlan()
  const bytes = Buffer.from(sealed(script))
  const entry = entryAt(path)
  const before = entry && readRegular(path, SHARED_GUIDE_BYTES_MAX)
  if (before?.equals(bytes)) return { ...plan, unchanged: [path], changes: ownerOnly(path) }
  const owner = entry && scriptOwner(before?.toString(BYTES) ?? '')
  if (owner === 'foreign' || owner === 'edited') return { ...plan, skipped: [{ path, reason: KEPT[owner] }] }
  const folders = missingFolders(missingParents(dirname(path)))
  return {
    ...plan,
    changes: [...folders, { path, make: { kind: 'file', bytes, mode: STATE_FILE_MODE }, over: entry?.identity }],
  }
}

const modeOf = (entry: Entry | undefined) => (entry?.kind === 'file' ? entry.mode : NEW_FILE_MODE)

/** Why the bytes of a file are not changed; said where the user looks. */
const leave = (path: string, reason: string): Plan => ({
  ...emptyPlan(),
  skipped: [{ path, reason }],
  warnings: [`${path}: ${reason}`],
})

const unreadable = ({ kind }: Entry) =>
  kind === 'file'
    ? `cannot be read, or is longer than ${SHARED_GUIDE_BYTES_MAX} bytes`
    : `is ${kind === 'link' ? 'a symbolic link' : 'no regular file'}`

const planStart = (path: string, line: string): Plan => {
  const plan = emptyPlan()
  const entry = entryAt(path)
  const before = entry && readRegular(path, SHARED_GUIDE_BYTES_MAX)?.toString(BYTES)
  const byHand = `left alone; add this line to it yourself: ${line}`
  if (entry && before === undefined) return leave(path, `${unreadable(entry)}, ${byHand}`)
  const edited = withShellBlock(before, Buffer.from(line).toString(BYTES))
  if (!edited.ok) return leave(path, `${edited.reason}; ${byHand}`)
  if (edited.text === before) return { ...plan, unchanged: [path] }
  const make = { kind: 'file', bytes: Buffer.from(edited.text, BYTES), mode: modeOf(entry) } as const
  return { ...plan, changes: [...missingFolders(missingParents(dirname(path))), { path, make, over: entry?.identity }] }
}

/** Folders on the way may be links, which are the user's own choice; the file itself may not. */
const inRealFolder = (path: string): string => {
  const folder = physicalPath(dirname(path))
  return folder.ok ? join(folder.path, basename(path)) : path
}

export const planCompletion = (options: CompletionPlaces & { script: string }): Plan => {
  const { home, shell, script } = options
  const files = completionFiles(options)
  const scriptPath = inRealFolder(files.script)
  const startPath = files.start && inRealFolder(files.start)
  const line = `[ -r ${quoted(files.script)} ] && . ${quoted(files.script)}`
  const plan = joinPlans(planScript(scriptPath, script), startPath ? planStart(startPath, line) : emptyPlan())
  const realHome = physicalPath(home).path
  const ours = [realHome, ...(shell === 'fish' ? [] : [dirname(scriptPath)])].flatMap(ownerOnly)
  const folders = plan.changes.flatMap(({ path, make }) => (make.kind === 'directory' ? [path] : []))
  const record = planRecord(realHome, {
    folders: folders.filter(path => path !== realHome && !path.startsWith(join(realHome, '/'))),
    completions: [scriptPath, ...(startPath ? [startPath] : [])],
  })
  const isWritten = shell === 'fish' || plan.changes.length > 0
  return isWritten || plan.unchanged.length > 0 ? { ...plan, changes: [...plan.changes, ...ours, ...record] } : plan
}

const planOneRemoval = (path: string): Plan => {
  const plan = emptyPlan()
  const entry = entryAt(path)
  if (!entry) return plan
  const text = readRegular(path, SHARED_GUIDE_BYTES_MAX)?.toString(BYTES)
  const byHand = 'left alone; remove what svc completion wrote there yourself'
  if (text === undefined) return leave(path, `${unreadable(entry)}, ${byHand}`)
  const gone: Plan = { ...plan, changes: [{ path, make: { kind: 'nothing' }, over: entry.identity }] }
  const owner = scriptOwner(text)
  if (owner === 'edited') return { ...plan, skipped: [{ path, reason: KEPT.edited }] }
  if (owner === 'ours') {
    const folder = dirname(path)
    if (basename(folder) === 'completion') gone.changes.push({ path: folder, make: { kind: 'no-directory' } })
    return gone
  }
  const edited = withoutShellBlock(text)
  if (!edited.ok) return leave(path, `${edited.reason}; ${byHand}`)
  if (edited.text === undefined) return gone
  if (edited.text === text) return plan
  const make = { kind: 'file', bytes: Buffer.from(edited.text, BYTES), mode: modeOf(entry) } as const
  return { ...plan, changes: [{ path, make, over: entry.identity }] }
}

/** `paths` are those of the record. */
export const planCompletionRemoval = (paths: readonly string[]): Plan => joinPlans(...paths.map(planOneRemoval))
