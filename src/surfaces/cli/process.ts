/** The process of a command: its directory, its home, its policy, its program file, its umask and its signals. */
import { realpathSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { skillRunIn } from '../../contracts/records/ids.ts'
import { type Environment, type Given, usage } from './command.ts'

/** With 128 + its number, as shells say it. */
const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

type Handled = keyof typeof CODES
const HANDLED = Object.keys(CODES) as Handled[]

/** True when a repeated signal of this kind ends the process at once. */
const endsAtOnce = (signal: Handled): boolean => signal !== 'SIGHUP'

/** Calls `end` for a signal that comes after `first` was aborted, before the process ends by it; returns how to stop. */
export const beforeEndAtOnce = (first: AbortSignal, end: () => void): (() => void) => {
  const listener = () => {
    if (first.aborted) end()
  }
  const names = HANDLED.filter(endsAtOnce)
  for (const name of names) process.prependListener(name, listener)
  return () => {
    for (const name of names) process.removeListener(name, listener)
  }
}

export const processSignals = () => {
  const stop = new AbortController()
  let listening = false
  let isReleased = false
  let forgiven = false
  let code: number | undefined

  const listen = (signal: Handled) =>
    process.on(signal, () => {
      if (code !== undefined) {
        if (!endsAtOnce(signal)) return
        process.removeAllListeners(signal)
        process.kill(process.pid, signal)
      }
      code = CODES[signal]
      stop.abort(signal)
    })

  return {
    /** Listens from the first call on: until then a signal ends the process at once. */
    signal(): AbortSignal {
      if (!listening) HANDLED.forEach(listen)
      listening = true
      return stop.signal
    },
    /**
     * From the next write on, a signal ends the process at once again. Not sooner: an answer that is there is printed,
     * whatever comes before it is written.
     */
    releaseAtWrite() {
      isReleased = true
    },
    /** To be called right before a write. Undefined when a signal ends the process, which the write may block therefore. */
    beforeWrite(): AbortSignal | undefined {
      if (listening && isReleased && code === undefined) {
        for (const name of HANDLED) process.removeAllListeners(name)
        listening = false
      }
      return listening ? stop.signal : undefined
    },
    /** The signal that came does not change the exit code. */
    forgive() {
      forgiven = true
    },
    /** 128 + the signal that came. */
    code: (): number | undefined => (forgiven ? undefined : code),
  }
}

/** The current directory, which may have been removed meanwhile. */
export const currentDirectory = (): string => {
  try {
    return process.cwd()
  } catch {
    throw usage('The current directory no longer exists.', { hint: 'Change to another directory and try again.' })
  }
}

const relativePath = (name: string, path: string | undefined): string | undefined =>
  path && !isAbsolute(path) ? `${name} is the relative path ${JSON.stringify(path)}` : undefined

const homeProblem = ({ SVC_HOME, HOME, SVC_CACHE_DIR }: Environment): string | undefined => {
  if (SVC_HOME?.trim() === '') return 'SVC_HOME is blank'
  const cache = relativePath('SVC_CACHE_DIR', SVC_CACHE_DIR?.trim())
  // With an empty HOME, Node asks the system.
  return cache ?? (SVC_HOME === undefined ? relativePath('HOME', HOME) : relativePath('SVC_HOME', SVC_HOME))
}

/** A relative path would be another home in every directory. */
export const refuseRelativeHome = (env: Environment): void => {
  const problem = homeProblem(env)
  if (problem === undefined) return
  throw usage(`${problem}: an absolute path is needed.`, {
    hint: 'Set it to an absolute path, or unset SVC_HOME and SVC_CACHE_DIR for ~/.svc.',
  })
}

/** With the policy as an absolute path, for processes that work elsewhere; `--policy` goes before SVC_POLICY. */
export const policyIn = ({ text }: Given, env: Environment, cwd: () => string): Environment => {
  const flag = text('policy')
  if (flag?.trim() === '') throw usage('--policy is blank.')
  if (flag !== undefined && skillRunIn(env)) throw usage('--policy cannot be given within a skill run, which has one.')
  const named = flag ?? env.SVC_POLICY
  return named?.trim() ? { ...env, SVC_POLICY: resolve(cwd(), named) } : env
}

export const programFile = (): string | undefined => {
  const [, called] = process.argv
  try {
    return called === undefined ? undefined : realpathSync(called)
  } catch {
    return called
  }
}

const OWNER_KEPT = 0o077

/** Call this in commands that make lasting folders and files; programs that they start inherit it. */
export const keepOwnerRights = (): void => {
  const before = process.umask(OWNER_KEPT)
  process.umask(before & OWNER_KEPT)
}
