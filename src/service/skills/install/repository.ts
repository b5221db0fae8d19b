/** Makes a workspace a local git repository on branch `main`, with one commit and no remote; an existing one is kept. */
import { type ChildProcess, spawn } from 'node:child_process'
import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { HOME_MODE } from '../../../contracts/limits/limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { makeTreeOwnerOnly } from '../../../runtime/files/owner-only.ts'
import { findProgram } from '../../../runtime/processes/find-program.ts'
import { systemProblem } from '../../../runtime/system-problem.ts'
import { REGISTRY_SUBPATH } from '../registry/load.ts'

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

const GIT_MS = 15_000
const STDERR_CHARS = 2_000
const NAMES = process.platform === 'win32' ? ['git.exe', 'git.cmd'] : ['git']

export const findGit = (path: string | undefined): string | undefined => findProgram(NAMES, path)

export interface Git {
  program: string
  /** PATH of the caller. */
  path: string | undefined
  clock: Clock
  timeoutMs?: number | undefined
}

/** Nothing of the user's settings, hooks or templates, and nothing of a git command that we may be running inside of. */
const environment = (path: string | undefined, home: string): Record<string, string> => ({
  PATH: path ?? '',
  HOME: home,
  XDG_CONFIG_HOME: home,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'svc',
  GIT_AUTHOR_EMAIL: 'svc@localhost',
  GIT_COMMITTER_NAME: 'svc',
  GIT_COMMITTER_EMAIL: 'svc@localhost',
})

const SETTINGS = ['gc.auto=0', 'maintenance.auto=false', 'commit.gpgSign=false', `core.hooksPath=${devNull}`]

/** Windows has no groups; there git alone is ended. */
const end = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** Runs git and returns the problem, if there is one. Ends within its time whatever git and its children do. */
const runGit = (git: Git, args: readonly string[], cwd: string): Promise<string | undefined> =>
  new Promise(resolve => {
    const { program, path, clock, timeoutMs = GIT_MS } = git
    const name = `git ${args.find(arg => !arg.startsWith('-')) ?? ''}`
    const child = spawn(program, [...SETTINGS.flatMap(setting => ['-c', setting]), ...args], {
      cwd,
      env: environment(path, cwd),
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    let stderr = ''
    const settle = (problem: string | undefined) => {
      timer.cancel()
      child.stderr.destroy()
      resolve(problem)
    }
    const timer = clock.at(clock.now() + timeoutMs, () => {
      end(child)
      settle(`${name} did not end within ${timeoutMs} ms`)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, STDERR_CHARS)
    })
    child.on('error', error => settle(`${name} could not be started: ${error.message}`))
    child.on('close', (code, signal) => {
      settle(code === 0 ? undefined : `${name} failed (${signal ?? code}): ${stderr.trim() || 'it printed nothing'}`)
    })
  })
