/** Section Skills CLI rules: where the registry is looked for, and what is final at once. */
import { isAbsolute, join, resolve } from 'node:path'
import { type Refusal, refuse } from '../refusal.ts'

/** The settings that choose the registry. */
export interface RegistryOptions {
  /** `--registry <file>`. */
  registry?: string | undefined
  /** SVC_SKILLS_REGISTRY; undefined when it is not set. */
  registryEnv?: string | undefined
  /** The folder that relative paths start from. */
  cwd: string
  /** `~/.svc`, or SVC_HOME. */
  home: string
}

export interface Candidate {
  path: string
  /** The path as it was configured, and where that is, for messages. */
  named: string
}

export type Candidates = { ok: true; first: Candidate; rest: readonly Candidate[] } | Refusal

/** The path of the registry inside a workspace. */
export const REGISTRY_SUBPATH = join('skills', 'skills-registry.json')

export const workspaceIn = (home: string): string => join(home, 'skills')

export const installedRegistry = (home: string): string => join(workspaceIn(home), REGISTRY_SUBPATH)

const candidate = (configured: string, cwd: string): Candidate => {
  const path = resolve(cwd, configured)
  return { path, named: isAbsolute(configured) ? configured : `${configured} (${path})` }
}

const blank = (said: string): Refusal =>
  refuse('REGISTRY_READ_FAILED', `Cannot read the skills registry: ${said} is blank.`, {
    hint: 'Name a registry file, or omit it to use the default.',
  })

const only = (configured: string, said: string, cwd: string): Candidates =>
  configured.trim() === '' ? blank(said) : { ok: true, first: candidate(configured, cwd), rest: [] }

/** The places to look for a registry. A configured one has no substitute; the usual place has two. */
export const registryCandidates = ({ registry, registryEnv, cwd, home }: RegistryOptions): Candidates => {
  if (registry !== undefined) return only(registry, '--registry', cwd)
  if (registryEnv !== undefined) return only(registryEnv, 'SVC_SKILLS_REGISTRY', cwd)
  return {
    ok: true,
    first: candidate(REGISTRY_SUBPATH, cwd),
    rest: [candidate(join('..', '..', REGISTRY_SUBPATH), cwd), candidate(installedRegistry(home), cwd)],
  }
}
