/** Changing a registry file: one process at a time, in one step, with everything else in it as it was. */
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { STATE_FILE_MODE } from '../../../contracts/limits/limits.ts'
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { withLock } from '../../../runtime/files/with-lock.ts'
import { readText } from '../read-json.ts'
import { checkRegistry, REGISTRY_BYTES_MAX } from './load.ts'

const STEP = '  '

interface SkillsArray {
  /** The index of the opening bracket. */
  open: number
  /** The index of the closing bracket. */
  close: number
  /** The index at which the last element begins; undefined for an empty array. */
  last: number | undefined
}

const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

const BRACKET = /["{}[\],:]/g

/** The array that `JSON.parse` finds as `skills`: of keys that are there twice, the last one. The text is valid JSON. */
const skillsArray = (text: string): SkillsArray | undefined => {
  const token = new RegExp(BRACKET)
  let found: SkillsArray | undefined
  let open: SkillsArray | undefined
  let key: string | undefined
  let isKeyNext = true
  let depth = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const at = match.index
    switch (match[0]) {
      case '"': {
        const end = endOfString(text, at)
        if (depth === 1 && isKeyNext) key = JSON.parse(text.slice(at, end + 1))
        token.lastIndex = end + 1
        break
      }
      case ':':
        if (depth === 1) isKeyNext = false
        break
      case ',':
        if (depth === 1) isKeyNext = true
        break
      case '{':
      case '[':
        if (depth === 1 && key === 'skills' && match[0] === '[') open = { open: at, close: at, last: undefined }
        if (depth === 2 && open !== undefined) open.last = at
        depth += 1
        break
      default:
        depth -= 1
        if (depth === 1 && open !== undefined) {
          found = { ...open, close: at }
          open = undefined
        }
    }
  }
  return found
}

/** The white space that a line begins with, up to an offset; undefined when other things stand before it. */
const indentBefore = (text: string, at: number): string | undefined => {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const before = text.slice(lineStart, at)
  return lineStart > 0 && /^[ \t]*$/.test(before) ? before : undefined
}

const indentOfLine = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? ''

/** Undefined when the text has no `skills` array. */
export const appendEntry = (text: string, entry: RegistryEntry): string | undefined => {
  const array = skillsArray(text)
  if (array === undefined) return undefined
  const newLine = text.includes('\r\n') ? '\r\n' : '\n'
  const outer = indentOfLine(text, array.open)
  const step = outer.includes('\t') ? '\t' : STEP
  const indent = (array.last === undefined ? undefined : indentBefore(text, array.last)) ?? outer + step
  const lines = JSON.stringify(entry, null, indent.includes('\t') ? '\t' : STEP)
    .split('\n')
    .map(line => newLine + indent + line)
    .join('')
  if (array.last === undefined) {
    return text.slice(0, array.open + 1) + lines + newLine + outer + text.slice(array.close)
  }
  const end = text.slice(0, array.close).trimEnd().length
  return `${text.slice(0, end)},${lines}${text.slice(end)}`
}

const PERMISSIONS = 0o777

/** Resolves symbolic links, so that a link to the file stays one. The file itself need not exist. */
const realFile = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const modeOf = (path: string): number => {
  try {
    return statSync(path).mode & PERMISSIONS
  } catch {
    return STATE_FILE_MODE
  }
}

/** Not every system lets a folder be opened; then the rename is as durable as the system makes it. */
const syncFolder = (folder: string): void => {
  try {
    const opened = openSync(folder, 'r')
    try {
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
  } catch {
    return
  }
}

/** To be called under a lock: the draft has one name, so that what a crash leaves behind is overwritten. */
export const replaceFile = (path: string, text: string): void => {
  const target = realFile(path)
  const draft = join(dirname(target), `.svc-${basename(target)}.draft`)
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', STATE_FILE_MODE)
  try {
    fchmodSync(file, modeOf(target))
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, target)
  syncFolder(dirname(target))
}

interface RegistryLock {
  /** The path of the registry file. */
  path: string
  clock: Clock
  waitMs?: number | undefined
}

/** Names of one registry that lead to one file have one lock. */
const lockOf = (path: string): string => `${realFile(path)}.lock`

export const withRegistryLock = <T>({ path, clock, waitMs }: RegistryLock, work: () => T | Promise<T>) =>
  withLock<T>({ path: lockOf(path), clock, ...(waitMs === undefined ? {} : { waitMs }) }, work)

/** To be called under the lock. What is wrong, or undefined when the entry is there; throws what the disk throws. */
export const writeEntry = (path: string, entry: RegistryEntry): string | undefined => {
  const read = readText(path, REGISTRY_BYTES_MAX)
  if (!read.ok) return read.problem
  const text = appendEntry(read.text, entry)
  if (text === undefined) return 'has no skills array'
  const before = checkRegistry(JSON.parse(read.text))
  const after = checkRegistry(JSON.parse(text))
  const isAdded = before.ok && after.ok && after.skills.length === before.skills.length + 1
  if (!isAdded || after.skills.at(-1)?.id !== entry.id) return 'cannot be extended without changing its other content'
  replaceFile(path, text)
  return undefined
}
