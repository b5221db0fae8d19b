/** Putting the helpers on a phone and taking them off again, with what each refusal of a phone means. */

import { commandLine } from '../../../runtime/text/quote.ts'
import { INSTALL_HINTS } from '../../apps/install-hints.ts'
import type { CallOptions, Link, ShellResult } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { type HelperApk, KEYBOARD_HELPER } from './helper-apks.ts'
import { type InstalledHelper, readPhoneFacts } from './installed.ts'
import { restoreKeyboard } from './keyboard.ts'
import { FORCE_STOP } from './process.ts'

export class InstallFailure extends Error {
  /** The package manager's own code. */
  readonly reason: string
  readonly packageName: string
  readonly hint: string

  constructor(packageName: string, reason: string, message: string) {
    super(message)
    this.name = 'InstallFailure'
    this.reason = reason
    this.packageName = packageName
    this.hint = HINTS[reason] ?? 'Look at the screen of the phone, which may say more, and try again.'
  }
}

/** For these the packages of svc need other words than an application of the caller. */
const HINTS: Readonly<Record<string, string>> = {
  ...INSTALL_HINTS,
  INSTALL_FAILED_UPDATE_INCOMPATIBLE:
    'A package of this name with another signature is installed, perhaps by another tool: svc operator uninstall removes it; then install again.',
  INSTALL_FAILED_VERSION_DOWNGRADE:
    'A newer build is installed, perhaps by another tool: svc operator uninstall removes it; then install again.',
  INSTALL_FAILED_OLDER_SDK: 'The helper needs Android 6 or newer; use --operator-package svc.shell.',
  INSTALL_FAILED_TEST_ONLY: 'The phone refuses packages from a computer; use --operator-package svc.shell.',
  NO_ANSWER: 'The phone may be waiting for a person to accept the installation: look at its screen and try again.',
  DELETE_FAILED_DEVICE_POLICY_MANAGER: 'The phone is managed, and its administrator keeps the package.',
}

const SUCCESS = /^Success\b/m
const FAILURE = /Failure \[(\w{1,80})(?::\s*([^\]]{0,300}))?/
const SAID_CHARS_MAX = 300

/** Judged by the words: exit codes differ between versions, and so does the stream. */
const refuseFailure = ({ stdout, stderr }: ShellResult, packageName: string, what: string): void => {
  if (SUCCESS.test(stdout) || SUCCESS.test(stderr)) return
  const output = `${stdout}\n${stderr}`.trim()
  const [, code, text] = FAILURE.exec(output) ?? []
  const reason = code ?? 'NO_ANSWER'
  const detail = text ?? (code === undefined ? output.slice(0, SAID_CHARS_MAX) : '')
  throw new InstallFailure(
    packageName,
    reason,
    `The phone refused to ${what} ${packageName}: ${[reason, detail].filter(Boolean).join(', ')}.`,
  )
}

type InstallStatus = 'installed' | 'updated' | 'already_installed' | 'kept_newer'

/** From stdin: nothing is left on the phone but the package itself. Rejects with InstallFailure or LinkError. */
export const installHelper = async (
  link: Link,
  { apk, bytes, present }: { apk: HelperApk; bytes: Uint8Array; present: InstalledHelper },
  options: CallOptions,
): Promise<InstallStatus> => {
  if (present.kind === 'ours') return 'already_installed'
  if (present.kind === 'newer') return 'kept_newer'
  const line = commandLine('cmd', 'package', 'install', '-r', '-S', String(bytes.length))
  const answer = await link.shell(line, { ...options, stdin: bytes, maxBytes: OUTPUT_BYTES_MAX.report })
  refuseFailure(answer, apk.packageName, 'install')
  return present.kind === 'missing' ? 'installed' : 'updated'
}

/** Whatever build it is: the caller wants the name free. */
export const uninstallHelper = async (
  link: Link,
  apk: HelperApk,
  options: CallOptions,
): Promise<'uninstalled' | 'not_installed'> => {
  const facts = await readPhoneFacts(link, options)
  const present = apk === KEYBOARD_HELPER ? facts.keyboard : facts.snapshot
  if (present.kind === 'missing') return 'not_installed'
  if (facts.keyboardMark !== undefined) await restoreKeyboard(link, facts.keyboardMark, options)
  if (apk !== KEYBOARD_HELPER) await link.shell(FORCE_STOP, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })
  const line = commandLine('cmd', 'package', 'uninstall', apk.packageName)
  refuseFailure(await link.shell(line, { ...options, maxBytes: OUTPUT_BYTES_MAX.report }), apk.packageName, 'uninstall')
  return 'uninstalled'
}
