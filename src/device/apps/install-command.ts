/** The command lines that install APKs from their stdin, and what their answers mean. */

import { commandLine } from '../../runtime/text/quote.ts'
import type { ShellResult } from '../link/link.ts'
import { complaintOf } from '../operators/shell/device-shell.ts'

export interface InstallOptions {
  user: string
  grantPermissions: boolean
  downgrade: boolean
  /** For APKs that say of themselves that they are for tests. */
  testOnly: boolean
}

const optionsOf = ({ user, grantPermissions, downgrade, testOnly }: InstallOptions): string[] => [
  '-r',
  ...(downgrade ? ['-d'] : []),
  ...(grantPermissions ? ['-g'] : []),
  ...(testOnly ? ['-t'] : []),
  '--user',
  user,
]

/** The names within a session are ours: the device takes the names of splits from the APKs. */
const writeStep = (bytes: number, index: number): string =>
  `said=$(cmd package install-write -S ${bytes} "$id" ${index}.apk - 2>&1) && echo "$said" | grep -q '^Success'`

/**
 * One line makes the session, fills it, and commits or abandons it. It goes on when this host, or the way to it, is gone
 * in the middle: its stdin has ended then, a write fails, and the session is abandoned. Nothing is left that somebody
 * would have to remember. Whether it was committed is told by the word alone, since exit codes lie on some versions.
 */
const sessionLine = (sizes: readonly number[], options: InstallOptions): string => {
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0)
  const create = commandLine('cmd', 'package', 'install-create', ...optionsOf(options), '-S', String(total))
  const commit = 'said=$(cmd package install-commit "$id" 2>&1 </dev/null)'
  return [
    "trap '' HUP PIPE",
    `said=$(${create} 2>&1 </dev/null)`,
    `id=$(echo "$said" | grep '^Success' | grep -o '[0-9][0-9]*')`,
    ['[ -n "$id" ]', ...sizes.map(writeStep), commit].join(' && '),
    'echo "$said"',
    `[ -z "$id" ] || echo "$said" | grep -q '^Success$' || cmd package install-abandon "$id" >/dev/null 2>&1 </dev/null`,
  ].join('; ')
}

/**
 * The files follow on stdin, one after the other. A single one takes the way that adb itself takes, for which makers test
 * their phones; the device makes and abandons the session of it by itself.
 */
export const installLine = (sizes: readonly number[], options: InstallOptions): string => {
  const [only = 0, ...more] = sizes
  if (more.length > 0) return sessionLine(sizes, options)
  return commandLine('cmd', 'package', 'install', ...optionsOf(options), '-S', String(only))
}

/** Messages hold brackets and colons, so the text goes to the last bracket. Some tools print a failed removal behind it. */
const FAILURE = /Failure \[(INSTALL_[A-Z_]+)(?:: (.{0,1000}))?\]/
const ANY_FAILURE = /Failure \[([A-Z][A-Z_]+)?:? ?(.{0,1000})\]/
const FULL = /not enough space|no space left/i
const WHY_CHARS_MAX = 300

type InstallAnswer = { ok: true } | { ok: false; reason?: string; why: string }

/** Judged by the words: exit codes differ between versions, and so does the stream. */
export const readAnswer = (result: ShellResult): InstallAnswer => {
  const output = `${result.stdout}\n${result.stderr}`
  if (/^Success\s*$/m.test(output)) return { ok: true }
  const [failure, reason, text = ''] = FAILURE.exec(output) ?? ANY_FAILURE.exec(output) ?? []
  const why = (failure === undefined ? (complaintOf(result) ?? output.trim()) : text).slice(0, WHY_CHARS_MAX)
  if (reason !== undefined) return { ok: false, reason, why: [reason, why].filter(Boolean).join(': ') }
  if (FULL.test(why)) return { ok: false, reason: 'INSTALL_FAILED_INSUFFICIENT_STORAGE', why }
  return { ok: false, why: why || 'it did not say Success' }
}
