/** Section Validate rules: the files that an entry names, where they are, and which of them are not there. */
import { posix } from 'node:path'
import type { RegistryEntry } from '../../contracts/registry.ts'
import type { SkillChecks } from '../../contracts/skill-commands.ts'
import type { PathInRoot } from '../containment.ts'

export type FilesFound =
  | { kind: 'all'; checks: SkillChecks }
  | { kind: 'missing'; skillJsonPath: string; missing: readonly { path: string; problem: string }[] }
  /** A path that is none of this repository. */
  | { kind: 'outside'; field: string; path: string; problem: string }

export const SKILL_JSON = 'skill.json'

interface Named {
  field: string
  path: string
}

const indexed = (field: string, paths: readonly string[]): Named[] =>
  paths.map((path, index) => ({ field: `${field}[${index}]`, path }))

const skillJsonIn = (folder: string): string => (folder.trim() === '' ? folder : posix.join(folder, SKILL_JSON))

export const findFiles = (skill: RegistryEntry, inRoot: (path: string) => PathInRoot): FilesFound => {
  const missing: { path: string; problem: string }[] = []
  let outside: (FilesFound & { kind: 'outside' }) | undefined
  const look = ({ field, path }: Named): string => {
    const seen = inRoot(path)
    if (seen.kind === 'outside') {
      outside ??= { kind: 'outside', field, path, problem: seen.problem }
      return path
    }
    if (seen.kind === 'missing') missing.push({ path: seen.path, problem: seen.problem })
    return seen.path
  }
  const checks = {
    skillJsonPath: look({ field: 'path', path: skillJsonIn(skill.path) }),
    skillFilePath: look({ field: 'skillFile', path: skill.skillFile }),
    scriptPaths: indexed('scripts', skill.scripts).map(look),
    artifactPaths: indexed('artifacts', skill.artifacts).map(look),
  }
  if (outside !== undefined) return outside
  return missing.length === 0
    ? { kind: 'all', checks }
    : { kind: 'missing', skillJsonPath: checks.skillJsonPath, missing }
}
