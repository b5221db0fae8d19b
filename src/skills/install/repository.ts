/** Makes a workspace a local git repository on branch `main`, with one commit and no remote; an existing one is kept. */
import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { HOME_MODE } from '../../contracts/limits.ts'
import { makeTreeOwnerOnly } from '../../runtime/owner-only.ts'
import { systemProblem } from '../../runtime/system-problem.ts'
import { REGISTRY_SUBPATH } from '../registry/where.ts'
import { type Git, runGit } from './git.ts'

export const BRANCH = 'main'

/** Under the lock of the workspace only one process has it. */
const STAGING = '.svc-new-repository'

/** Older versions of git know no `init -b`; HEAD of a repository without commits can simply be set. */
const stepsFor = (repository: string, workspace: string): readonly (readonly string[])[] => {
  const inside = [`--git-dir=${repository}`, `--work-tree=${workspace}`]
  return [
    ['init', '--quiet', '--template='],
    [...inside, 'symbolic-ref', 'HEAD', `refs/heads/${BRANCH}`],
    [...inside, 'add', '--force', '--', REGISTRY_SUBPATH],
    [...inside, 'commit', '--quiet', '--message', 'Start the skills workspace'],
  ]
}

const build = async (git: Git, workspace: string, staging: string): Promise<string | undefined> => {
  const repository = join(staging, '.git')
  for (const [index, args] of stepsFor(repository, workspace).entries()) {
    const problem = await runGit(git, args, index === 0 ? staging : workspace)
    if (problem !== undefined) return problem
  }
  makeTreeOwnerOnly(repository)
  renameSync(repository, join(workspace, '.git'))
  return undefined
}

export const hasRepository = (workspace: string): boolean =>
  lstatSync(join(workspace, '.git'), { throwIfNoEntry: false }) !== undefined

/** Creates the repository of the workspace, whole or not at all. Returns the problem, if there is one. */
export const ensureRepository = async (git: Git, workspace: string): Promise<string | undefined> => {
  if (hasRepository(workspace)) return undefined
  const staging = join(workspace, STAGING)
  try {
    rmSync(staging, { recursive: true, force: true })
    mkdirSync(staging, { mode: HOME_MODE })
    return await build(git, workspace, staging)
  } catch (error) {
    return `the repository in ${workspace} ${systemProblem(error).said}`
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}
