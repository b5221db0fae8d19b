/** Run rule 5: which script of an entry runs, where it is, and what it is made of. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RegistryEntry } from '../../contracts/registry.ts'
import { systemProblem } from '../../runtime/system-problem.ts'
import type { PathInRoot } from '../containment.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface Script {
  ok: true
  /** Absolute. */
  path: string
  /** SHA-256 of the file, in hex. */
  digest: string
}

export const chooseScript = (scripts: readonly string[]): string | undefined =>
  scripts.find(path => path.endsWith('.js')) ?? scripts.find(path => path.endsWith('.sh')) ?? scripts[0]

const notFound = (skillId: string, said: string, path?: string): Refusal =>
  refuse('SKILL_SCRIPT_NOT_FOUND', `Skill ${skillId} cannot run: ${said}.`, {
    details: { skillId, ...(path === undefined ? {} : { path }) },
  })

/** A path of the entry as a file inside the skills repo. */
export const fileOf = (skillId: string, path: string, inRoot: (path: string) => PathInRoot) => {
  const seen = inRoot(path)
  return seen.kind === 'file'
    ? { ok: true as const, path: seen.path }
    : notFound(skillId, `${JSON.stringify(path)} ${seen.problem}`, path)
}

export const findScript = (
  { id, scripts }: Pick<RegistryEntry, 'id' | 'scripts'>,
  inRoot: (path: string) => PathInRoot,
): Script | Refusal => {
  const chosen = chooseScript(scripts)
  if (chosen === undefined) return notFound(id, 'the registry lists no script for it')
  const file = fileOf(id, chosen, inRoot)
  if (!file.ok) return file
  try {
    return { ok: true, path: file.path, digest: createHash('sha256').update(readFileSync(file.path)).digest('hex') }
  } catch (error) {
    return notFound(id, `${JSON.stringify(chosen)} ${systemProblem(error).said}`, chosen)
  }
}
