/** `svc upgrade check`: which version the user's npm would install. Nothing else of svc ever asks a registry. */
import { spawn } from 'node:child_process'
import type { UpgradeChecked } from '../../contracts/install.ts'
import { UPGRADE_ANSWER_CHARS_MAX, UPGRADE_CHECK_MS } from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { findProgram } from '../../runtime/processes/find-program.ts'

const PACKAGE = 'svc'
/** By this the package of that name in the registry is known to be this one. */
const PROGRAM = 'dist/svc.cjs'

const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm'

export const findNpm = (path: string | undefined): string | undefined => findProgram([NPM], path)

interface NpmAnswer {
  code: number | null
  stdout: string
  stderr: string
}

interface AskOptions {
  npm: string
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  signal: AbortSignal
  timeoutMs?: number
}

/** Ends within its time, whatever npm and its children do: they are a process group of their own. */
const runNpm = ({ npm, env, clock, signal, timeoutMs = UPGRADE_CHECK_MS }: AskOptions): Promise<NpmAnswer | string> =>
  new Promise(resolve => {
    const args = ['view', PACKAGE, 'version', 'bin', '--json', '--no-update-notifier']
    const child = spawn(npm, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const output = { stdout: '', stderr: '' }
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        child.kill('SIGKILL')
      }
    }
    const settle = (answer: NpmAnswer | string) => {
      timer.cancel()
      signal.removeEventListener('abort', stop)
      child.stdout.destroy()
      child.stderr.destroy()
      resolve(answer)
    }
    const stop = () => {
      end()
      settle('it was interrupted')
    }
    const timer = clock.at(clock.now() + timeoutMs, () => {
      end()
      settle(`it did not answer within ${timeoutMs} ms`)
    })
    signal.addEventListener('abort', stop, { once: true })
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] = (output[stream] + text).slice(0, UPGRADE_ANSWER_CHARS_MAX)
      })
    }
    child.on('error', error => settle(`it could not be started: ${error.message}`))
    child.on('close', code => settle({ code, ...output }))
  })

const parsed = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    const last = Array.isArray(value) ? value.at(-1) : value
    return typeof last === 'object' && last !== null ? last : undefined
  } catch {
    return undefined
  }
}

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/

/** Compares in the order of semantic versioning; undefined when one of them is not a version. */
export const compareVersions = (a: string, b: string): number | undefined => {
  const [left, right] = [VERSION.exec(a), VERSION.exec(b)]
  if (!left || !right) return undefined
  for (const part of [1, 2, 3]) {
    const difference = Number(left[part]) - Number(right[part])
    if (difference !== 0) return difference
  }
  const [mine, other] = [left[4], right[4]]
  if (mine === other) return 0
  if (mine === undefined || other === undefined) return mine === undefined ? 1 : -1
  return comparePrereleases(mine.split('.'), other.split('.'))
}

const isNumber = (text: string) => /^\d+$/.test(text)

const comparePrereleases = (a: readonly string[], b: readonly string[]): number => {
  for (const [index, left] of a.entries()) {
    const right = b[index]
    if (right === undefined) return 1
    if (left === right) continue
    if (isNumber(left) && isNumber(right)) return Number(left) - Number(right)
    if (isNumber(left) !== isNumber(right)) return isNumber(left) ? -1 : 1
    return left < right ? -1 : 1
  }
  return a.length - b.length
}

const notPublished = (current: string): UpgradeChecked => ({
  ok: true,
  state: 'not-published',
  current,
  available: null,
  message: `The registry that npm asks has no package ${PACKAGE}: this version ${current} was installed from a file or a checkout.`,
})

const compared = (current: string, answer: Record<string, unknown>): UpgradeChecked | string => {
  const { version, bin } = answer
  if (typeof version !== 'string') return 'its answer names no version'
  const program = typeof bin === 'object' && bin !== null ? (bin as Record<string, unknown>).svc : undefined
  if (program !== PROGRAM) {
    return {
      ok: true,
      state: 'another-package',
      current,
      available: null,
      message: `The package ${PACKAGE} ${version} in the registry that npm asks is another program. Do not install it to upgrade this one.`,
    }
  }
  const difference = compareVersions(version, current)
  if (difference === undefined) return `it named the version ${JSON.stringify(version)}`
  const known = { ok: true as const, current, available: version }
  if (difference === 0) return { ...known, state: 'current', message: `${current} is what npm would install.` }
  if (difference < 0)
    return {
      ...known,
      state: 'older',
      message: `An upgrade through npm would install ${version}, older than ${current}.`,
    }
  return {
    ...known,
    state: 'newer',
    message: `An upgrade through npm would install ${version}; this is ${current}. Daemons of the old version are replaced when they are idle.`,
    command: `npm install -g ${PACKAGE}@${version}`,
  }
}

/** A string says what went wrong. */
export const checkUpgrade = async (current: string, options: AskOptions): Promise<UpgradeChecked | string> => {
  const npmAnswer = await runNpm(options)
  if (typeof npmAnswer === 'string') return npmAnswer
  const answer = parsed(npmAnswer.stdout)
  const error = answer?.error as { code?: unknown; summary?: unknown } | undefined
  if (error?.code === 'E404' || /\bE404\b/.test(npmAnswer.stderr)) return notPublished(current)
  if (npmAnswer.code !== 0 || !answer) {
    const reason = typeof error?.summary === 'string' ? error.summary : npmAnswer.stderr.trim()
    return `it failed (${npmAnswer.code})${reason === '' ? '' : `: ${reason.slice(0, 500)}`}`
  }
  return compared(current, answer)
}
