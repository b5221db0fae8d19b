/** App operations: what a person switches for an application in the settings, beside its permissions. */

import type { PermissionState } from '../../contracts/device/permissions.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import { complaintOf, type DeviceShell } from '../operators/shell/device-shell.ts'
import { refusalIn } from './permission-refusal.ts'

export interface AppOp {
  applicationId: string
  user: string
  permission: string
  /** The name that `appops` has for the permission. */
  op: string
}

interface AppOpModes {
  state: PermissionState
  /** The settings of newer versions switch it for the uid, which then counts more than the package. */
  isOfUid: boolean
}

const STATES: Readonly<Record<string, PermissionState>> = {
  allow: 'allow',
  foreground: 'allow',
  deny: 'deny',
  ignore: 'deny',
  default: 'unset',
}
const MODES: Readonly<Record<PermissionState, string>> = { allow: 'allow', deny: 'deny', unset: 'default' }

export const readAppOp = async (
  shell: DeviceShell,
  { applicationId, user, permission, op }: AppOp,
): Promise<AppOpModes> => {
  const answer = await shell.ask(commandLine('cmd', 'appops', 'get', '--user', user, applicationId, op))
  const complaint = complaintOf(answer)
  if (complaint !== undefined) throw refusalIn(answer.stdout + answer.stderr, complaint, permission)
  const modeAfter = (before: string) => new RegExp(`^${before}${op}: (\\w+)`, 'm').exec(answer.stdout)?.[1]
  const ofUid = modeAfter('Uid mode: ')
  const mode = ofUid === undefined || ofUid === 'default' ? modeAfter('\\s*') : ofUid
  return { state: STATES[mode ?? 'default'] ?? 'unset', isOfUid: ofUid !== undefined }
}

/** For the uid where that has a mode, and for the package. */
export const setAppOp = async (shell: DeviceShell, appOp: AppOp, state: PermissionState, isOfUid: boolean) => {
  const { applicationId, user, permission, op } = appOp
  for (const scope of isOfUid ? [['--uid'], []] : [[]]) {
    const words = ['cmd', 'appops', 'set', '--user', user, ...scope, applicationId, op, MODES[state]]
    const answer = await shell.ask(commandLine(...words))
    const complaint = complaintOf(answer)
    if (complaint !== undefined) throw refusalIn(answer.stdout + answer.stderr, complaint, permission)
  }
}
