/** The folders in which agents look for skills, grouped by where they really are on the disk. */
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AuthoringHost } from '../../contracts/install.ts'
import { physicalPath } from './safe-folder.ts'

type HostName = 'claude' | 'codex' | 'agents'

export interface Host {
  host: HostName
  /** The path in the form that its owner uses. */
  dir: string
}

export interface HostGroup {
  hosts: readonly Host[]
  /** Physical. */
  path: string
  exists: boolean
  representation: AuthoringHost['representation']
}

interface HostPlaces {
  userHome: string
  /** CODEX_HOME. */
  codexHome?: string | undefined
}

/** The generic folder, whose copies serve every agent that looks there. */
const GENERIC: HostName = 'agents'

export const hostsOf = ({ userHome, codexHome }: HostPlaces): Host[] => [
  { host: 'claude', dir: join(userHome, '.claude', 'skills') },
  { host: 'codex', dir: join(codexHome?.trim() || join(userHome, '.codex'), 'skills') },
  { host: GENERIC, dir: join(userHome, '.agents', 'skills') },
]

/** Two names of one folder have one key, also where the file system does not tell upper from lower case. */
const keyOf = (path: string): string => {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false })
  return facts ? `${facts.dev}:${facts.ino}` : path
}

export const groupHosts = (
  hosts: readonly Host[],
): { groups: HostGroup[]; problems: { path: string; reason: string }[] } => {
  const groups = new Map<string, HostGroup>()
  const problems: { path: string; reason: string }[] = []
  for (const host of hosts) {
    const physical = physicalPath(host.dir)
    if (!physical.ok) {
      problems.push({ path: physical.path, reason: physical.problem })
      continue
    }
    const { path, exists } = physical
    if (exists && !statSync(path).isDirectory()) {
      problems.push({ path, reason: 'is not a directory' })
      continue
    }
    const key = keyOf(path)
    const members = [...(groups.get(key)?.hosts ?? []), host]
    const isGeneric = members.some(member => member.host === GENERIC)
    groups.set(key, {
      path,
      exists,
      ...groups.get(key),
      hosts: members,
      representation: isGeneric ? 'copy' : 'symlink',
    })
  }
  return { groups: [...groups.values()], problems }
}

/** The folders above `path`, itself included, that are not there yet; the outermost first. */
export const missingParents = (path: string): string[] =>
  statSync(path, { throwIfNoEntry: false }) || dirname(path) === path ? [] : [...missingParents(dirname(path)), path]
