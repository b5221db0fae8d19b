/** `~/.svc/installed.json`: which folders and files the installer made outside of the home, so that they can go again. */
import { join } from 'node:path'
import { STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import type { Change } from './changes.ts'
import { entryAt, ownerOnly, readRegular } from './plan.ts'

interface InstallRecord {
  /** Made by svc, because they were missing; they go when they are empty. */
  folders: readonly string[]
  /** Folders where agents look for skills; CODEX_HOME may be another one by the time of an uninstall. */
  hosts: readonly string[]
  /** Files with completion scripts, and the files of shells with a block of ours. */
  completions: readonly string[]
}

const NOTHING: InstallRecord = { folders: [], hosts: [], completions: [] }
const RECORD_BYTES_MAX = 256 * 1_024

export const recordPath = (home: string): string => join(home, 'installed.json')

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

/** A record that cannot be read is none: then what was made around the skills stays. */
export const readRecord = (home: string): InstallRecord => {
  try {
    const { folders, hosts, completions } = JSON.parse(
      readRegular(recordPath(home), RECORD_BYTES_MAX)?.toString('utf8') ?? '{}',
    )
    return { folders: texts(folders), hosts: texts(hosts), completions: texts(completions) }
  } catch {
    return NOTHING
  }
}

const union = (a: readonly string[], b: readonly string[] = []) => [...new Set([...a, ...b])].sort()

/** Nothing to do when all of it is in the record already. */
export const planRecord = (home: string, added: Partial<InstallRecord>): Change[] => {
  const before = readRecord(home)
  const after: InstallRecord = {
    folders: union(before.folders, added.folders),
    hosts: union(before.hosts, added.hosts),
    completions: union(before.completions, added.completions),
  }
  const path = recordPath(home)
  const isKnown = (Object.keys(after) as (keyof InstallRecord)[]).every(key => after[key].length === before[key].length)
  const entry = entryAt(path)
  if (entry && isKnown) return ownerOnly(path)
  const bytes = Buffer.from(`${JSON.stringify(after, null, 2)}\n`)
  return [{ path, make: { kind: 'file', bytes, mode: STATE_FILE_MODE }, over: entry?.identity }]
}
