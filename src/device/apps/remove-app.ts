/** uninstall_app and clear_app: the package manager removes an application, or its data, of the user in front. */

import { isPackageName } from '../../contracts/device/package-name.ts'
import type { FailureCode } from '../../contracts/failures/failures.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import type { Link } from '../link/link.ts'
import {
  CALL_MS,
  complaintOf,
  type DeviceShell,
  deviceShell,
  type ShellOptions,
} from '../operators/shell/device-shell.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { currentUser } from './current-user.ts'

export interface RemoveOptions extends ShellOptions {
  link: Link
  /** Throws a StepFailure when this host may no longer act on the phone. */
  mayAct?: (() => void) | undefined
}

/** Beside what an immediate answer may take: large applications take seconds. */
const REMOVE_MS = 50_000

const REFUSED = /Failure \[((?:[A-Z]+_)+[A-Z]+)?:? ?(.{0,1000})\]/
const EXCEPTION = /(?:exception|error)\b/i

const isInstalled = async (shell: DeviceShell, user: string, applicationId: string, code: FailureCode) => {
  const answer = await shell.ask(commandLine('pm', 'path', '--user', user, applicationId))
  if (/^package:/m.test(answer.stdout)) return true
  const complaint = complaintOf(answer) ?? ''
  if (EXCEPTION.test(complaint)) throw new StepFailure(code, `the device refused: ${complaint}`)
  return false
}

interface Removal {
  applicationId: string
  code: FailureCode
  /** The words of `pm` in front of the user and the name. */
  words: readonly string[]
}

/** The tool exits with 0 or 1 by version: only its word counts. */
const remove = async ({ applicationId, code, words }: Removal, options: RemoveOptions) => {
  const { link, clock, deadline, signal, mayAct = () => {} } = options
  const missing = () => new StepFailure('APP_NOT_FOUND', `the device has no application ${applicationId}`)
  if (!isPackageName(applicationId)) throw missing()
  const shell = deviceShell(link, options)
  const user = await currentUser(link, { deadline: Math.min(deadline, clock.now() + CALL_MS), signal })
  if (!(await isInstalled(shell, user, applicationId, code))) throw missing()
  mayAct()
  const answer = await shell.ask(commandLine('pm', ...words, '--user', user, applicationId), { ms: REMOVE_MS })
  if (!/^Success\s*$/m.test(answer.stdout)) {
    const [, reason, message = ''] = REFUSED.exec(answer.stdout) ?? REFUSED.exec(answer.stderr) ?? []
    const why = reason ?? (message || complaintOf(answer) || 'it did not say Success')
    throw new StepFailure(code, `the device refused: ${why}`, { data: reason === undefined ? {} : { reason } })
  }
  return { isStillInstalled: () => isInstalled(shell, user, applicationId, code) }
}

export const uninstallApp = async (
  { applicationId, keepData }: { applicationId: string; keepData: boolean },
  options: RemoveOptions,
): Promise<Record<string, string>> => {
  const words = keepData ? ['uninstall', '-k'] : ['uninstall']
  const removed = await remove({ applicationId, code: 'UNINSTALL_FAILED', words }, options)
  if (await removed.isStillInstalled()) {
    throw new StepFailure('UNINSTALL_FAILED', `the device said Success, and still has ${applicationId}`)
  }
  return { application_id: applicationId }
}

export const clearApp = async (
  { applicationId }: { applicationId: string },
  options: RemoveOptions,
): Promise<Record<string, string>> => {
  await remove({ applicationId, code: 'CLEAR_FAILED', words: ['clear'] }, options)
  return { application_id: applicationId }
}
