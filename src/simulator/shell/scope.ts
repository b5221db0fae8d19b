/** Holds the state of a running shell: variables, folder, arguments, last status. */

export interface Scope {
  /** `$$`; that of the line also in the shells that it starts. */
  pid: number
  variables: Map<string, string>
  cwd: string
  /** `$0` and the arguments after it. */
  positional: readonly string[]
  status: number
  /** How many loops the command that runs is in. */
  loops: number
  /** Set by `break` and `continue`, until so many loops have heard of it. */
  leaving: { how: 'break' | 'continue'; loops: number } | undefined
  /** Set once `exit` or `exec` has decided that nothing more runs. */
  ended: number | undefined
  /** `$!`, and what `wait` waits for. */
  jobs?: { pid: number; end: Promise<number> }[]
  /** `trap '' HUP`: the line goes on when its caller has gone. */
  ignoresHangup?: boolean
  /** The app as which everything runs, by `run-as`. */
  runAs?: string
}

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ['ANDROID_DATA', '/data'],
  ['ANDROID_ROOT', '/system'],
  ['EXTERNAL_STORAGE', '/sdcard'],
  ['HOME', '/'],
  ['HOSTNAME', 'localhost'],
  ['PATH', '/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/vendor/bin'],
  ['SHELL', '/system/bin/sh'],
  ['TERM', 'dumb'],
  ['TMPDIR', '/data/local/tmp'],
  ['USER', 'shell'],
]

export const SHELL_NAME = '/system/bin/sh'

export const newScope = (pid: number, positional: readonly string[] = [SHELL_NAME]): Scope => ({
  pid,
  variables: new Map(ENVIRONMENT),
  cwd: '/',
  positional,
  status: 0,
  loops: 0,
  leaving: undefined,
  ended: undefined,
})

/** The state that a subshell starts with: changes stay in it. */
export const copyScope = ({ jobs: _, ...scope }: Scope): Scope => ({
  ...scope,
  variables: new Map(scope.variables),
  loops: 0,
})

export const variableValue = (scope: Scope, name: string): string | undefined => {
  if (name === '?') return String(scope.status)
  if (name === '$') return String(scope.pid)
  if (name === '!') return String(scope.jobs?.at(-1)?.pid ?? '')
  if (name === '#') return String(scope.positional.length - 1)
  if (name === '@' || name === '*') return scope.positional.slice(1).join(' ')
  if (name === 'PWD') return scope.cwd
  return /^\d$/.test(name) ? scope.positional[Number(name)] : scope.variables.get(name)
}
