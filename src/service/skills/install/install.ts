/** `svc skills install`, `update` and `sync`: the local workspace, made or checked; nothing is ever downloaded. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { HOME_MODE } from '../../../contracts/limits/limits.ts'
import type { SkillsSynced } from '../../../contracts/skills/skill-commands.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { makeFolder } from '../../../runtime/files/make-folder.ts'
import { isLooseTree, makeTreeOwnerOnly } from '../../../runtime/files/owner-only.ts'
import { systemProblem } from '../../../runtime/system-problem.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { replaceFile, withRegistryLock } from '../registry/change.ts'
import { installedRegistry, readRegistry, registrySentence, workspaceIn } from '../registry/load.ts'
import { BRANCH, ensureRepository, findGit, type Git, hasRepository } from './repository.ts'

interface InstallOptions {
  /** `~/.svc`, or SVC_HOME. */
  home: string
  /** `--registry <file>`, absolute: that one is made or checked. What is around it is the caller's and no repository. */
  registry?: string | undefined
  /** PATH, where git is looked for. */
  path: string | undefined
  clock: Clock
  lockWaitMs?: number | undefined
  gitMs?: number | undefined
}

type Synced = { ok: true; output: SkillsSynced } | Refusal

const EMPTY_REGISTRY = '{"schemaVersion":"1.0","skills":[]}'
const INSTALL_HINT = 'Run `svc skills install` first.'
const REPAIR_HINT = 'Correct that file, or move it away and run `svc skills install` for an empty one.'

const gitMissing = (): Refusal =>
  refuse(
    'SKILLS_GIT_NOT_FOUND',
    'The program git is not on the PATH, and the skills workspace is a local git repository.',
    {
      hint: 'Install git. Nothing is downloaded with it: the workspace has no remote.',
    },
  )

const notInstalled = (reason: string): Refusal =>
  refuse('SKILLS_SYNC_FAILED', `The skills workspace is not ready: ${reason}`)

/** The state that `svc skills install` would find; there is nothing to do when it is ready and not loose. */
export const planSkills = ({ home }: Pick<InstallOptions, 'home'>) => {
  const [registryPath, workspace] = [installedRegistry(home), workspaceIn(home)]
  const isReady = hasRepository(workspace) && readRegistry(registryPath).ok
  return {
    registryPath,
    workspace,
    isReady,
    /** Other users can read or change a part of it. */
    isLoose: isLooseTree(workspace),
  }
}

const inWords = (skills: number): string => (skills === 1 ? '1 skill' : `${skills} skills`)

const keptSkills = (skills: number): string =>
  `The skills workspace already exists and was kept, with ${inWords(skills)}; nothing was downloaded.`

/** Takes no lock, for that would change the folder's times. Undefined when there is something to do or to say. */
const kept = (path: string, workspace: string | undefined): Synced | undefined => {
  const read = workspace === undefined || hasRepository(workspace) ? readRegistry(path) : undefined
  if (!read?.ok) return undefined
  const message = keptSkills(read.registry.skills.length)
  return { ok: true, output: { synced: true, message, registryPath: path } }
}

/** To be called under the lock of the registry. `workspace` is what becomes a repository. */
const prepare = async (git: Git, workspace: string | undefined, path: string): Promise<Synced> => {
  const isNew = !existsSync(path)
  if (isNew) replaceFile(path, EMPTY_REGISTRY)
  const read = readRegistry(path)
  if (!read.ok) {
    return refuse('REGISTRY_READ_FAILED', `Cannot read the skills registry: ${registrySentence(path, read.problem)}`, {
      details: { path },
      hint: REPAIR_HINT,
    })
  }
  const problem = workspace === undefined ? undefined : await ensureRepository(git, workspace)
  if (problem !== undefined) return notInstalled(`${problem}.`)
  const message = isNew
    ? 'Created an empty skills workspace; nothing was downloaded.'
    : keptSkills(read.registry.skills.length)
  return { ok: true, output: { synced: true, message, registryPath: path } }
}

export const installSkills = async (options: InstallOptions): Promise<Synced> => {
  const { home, registry, path, clock, lockWaitMs, gitMs } = options
  const program = findGit(path)
  if (program === undefined) return gitMissing()
  const registryPath = registry ?? installedRegistry(home)
  const workspace = registry === undefined ? workspaceIn(home) : undefined
  try {
    if (workspace !== undefined) makeTreeOwnerOnly(workspace)
    const found = kept(registryPath, workspace)
    if (found) return found
    makeFolder(dirname(registryPath), HOME_MODE)
    const git: Git = { program, path, clock, timeoutMs: gitMs }
    const locked = await withRegistryLock({ path: registryPath, clock, waitMs: lockWaitMs }, () =>
      prepare(git, workspace, registryPath),
    )
    return locked.ok ? locked.value : notInstalled(`${locked.problem}.`)
  } catch (error) {
    return notInstalled(`${dirname(registryPath)} ${systemProblem(error).said}.`)
  }
}

const refRefused = (ref: string): Refusal =>
  refuse('SKILLS_SYNC_FAILED', `The ref ${JSON.stringify(ref)} is not accepted; the only one is ${BRANCH}.`, {
    details: { ref },
    hint: `The workspace is a local repository: --ref ${BRANCH}, or none with update.`,
  })

const checkWorkspace = ({ home, registry }: Pick<InstallOptions, 'home' | 'registry'>): Synced => {
  const path = registry ?? installedRegistry(home)
  const read = readRegistry(path)
  if (!read.ok) {
    return refuse('SKILLS_SYNC_FAILED', `The skills registry cannot be used: ${registrySentence(path, read.problem)}`, {
      details: { path },
      hint: read.kind === 'missing' ? INSTALL_HINT : REPAIR_HINT,
    })
  }
  const message = `The skills workspace is in order, with ${inWords(read.registry.skills.length)}; nothing was downloaded.`
  return { ok: true, output: { synced: true, message } }
}

interface UpdateOptions extends Pick<InstallOptions, 'home' | 'registry' | 'path'> {
  ref?: string | undefined
}

export const updateSkills = ({ path, ref = BRANCH, ...place }: UpdateOptions): Synced => {
  if (ref !== BRANCH) return refRefused(ref)
  return findGit(path) === undefined ? gitMissing() : checkWorkspace(place)
}

interface SyncOptions extends Pick<InstallOptions, 'home' | 'registry'> {
  ref?: string | undefined
}

export const syncSkills = ({ ref, ...place }: SyncOptions): Synced => {
  if (ref === undefined) return refuse('USAGE', `The ref to sync is missing: run svc skills sync --ref ${BRANCH}.`)
  return ref === BRANCH ? checkWorkspace(place) : refRefused(ref)
}
