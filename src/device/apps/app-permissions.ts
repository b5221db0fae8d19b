/** The permissions of one application as its device has them: asked for, and changed one by one. */

import type { PermissionState } from '../../contracts/device/permissions.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import type { Link } from '../link/link.ts'
import {
  CALL_MS,
  complaintOf,
  type DeviceShell,
  deviceShell,
  type ShellOptions,
  tooLargeAs,
} from '../operators/shell/device-shell.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { readAppOp, setAppOp } from './app-op.ts'
import { askApp } from './ask-app.ts'
import { appOpOf } from './permission-groups.ts'
import { permissionRefused, refusalIn } from './permission-refusal.ts'
import { isFixed, type RuntimePermission, stateOf } from './read-package-dump.ts'

export interface LinkOptions extends ShellOptions {
  link: Link
}

export interface AppPermissions {
  applicationId: string
  user: string
  /** Infinite where the device does not say. */
  sdk: number
  shell: DeviceShell
  requested: readonly string[]
  runtime: ReadonlyMap<string, RuntimePermission>
}

const USER_FIXED = 'USER_FIXED'
/** Older versions know no command that marks a permission as answered by a person. */
const MARKS_SDK = 33

const callOf = ({ clock, deadline, signal }: LinkOptions) => ({
  deadline: Math.min(deadline, clock.now() + CALL_MS),
  signal,
})

/** For the user in front, unless another one is named. Throws APP_NOT_FOUND. */
export const askPermissions = async (
  applicationId: string,
  options: LinkOptions,
  ofUser?: string,
): Promise<AppPermissions> => {
  const shell = deviceShell(options.link, options)
  const asking = askApp(options.link, callOf(options), applicationId, ofUser)
  const [found, level] = await Promise.all([
    asking.catch(tooLargeAs('PERMISSION_REFUSED')),
    shell.ask(commandLine('getprop', 'ro.build.version.sdk')),
  ])
  if (!found) throw new StepFailure('APP_NOT_FOUND', `the device has no application ${applicationId}`)
  const { requested, runtime, user } = found
  const sdk = Number(level.stdout.trim())
  return {
    ...{ applicationId, user, shell, requested },
    sdk: Number.isInteger(sdk) && sdk > 0 ? sdk : Number.POSITIVE_INFINITY,
    runtime: new Map(runtime.map(each => [each.permission, each])),
  }
}

/** A permission comes with what is needed to change it. */
export interface AskedPermission {
  permission: string
  state: PermissionState
  isFixed: boolean
  /** The flags of one that the package manager grants. */
  flags: readonly string[]
  /** Only for an app operation. */
  isOfUid?: boolean
}

const NO_FLAGS: readonly string[] = []

export const askPermission = async (app: AppPermissions, permission: string): Promise<AskedPermission> => {
  const op = appOpOf(permission)
  if (op !== undefined) {
    const { state, isOfUid } = await readAppOp(app.shell, { ...app, permission, op })
    return { permission, state, isOfUid, isFixed: false, flags: NO_FLAGS }
  }
  const found = app.runtime.get(permission)
  if (!found) return { permission, state: 'unset', isFixed: false, flags: NO_FLAGS }
  return { permission, state: stateOf(found), isFixed: isFixed(found), flags: found.flags }
}

/** The state that the device will show once the permission is as wanted: older versions mark no refusal. */
export const shownAs = (wanted: PermissionState, { permission, flags }: AskedPermission, { sdk }: AppPermissions) =>
  wanted === 'deny' && sdk < MARKS_SDK && appOpOf(permission) === undefined && !flags.includes(USER_FIXED)
    ? 'unset'
    : wanted

/** True when the device needs no command for it. */
export const isAlready = (wanted: PermissionState, current: AskedPermission, app: AppPermissions): boolean => {
  if (current.state === 'allow' || wanted === 'allow') return current.state === wanted
  if (appOpOf(current.permission) !== undefined) return current.state === wanted
  if (wanted === 'deny') return app.sdk < MARKS_SDK || current.flags.includes(USER_FIXED)
  return current.state === 'unset'
}

const UNKNOWN_COMMAND = /unknown command/i

const change = async (app: AppPermissions, verb: string, permission: string, ...flags: string[]) => {
  const { shell, user, applicationId } = app
  const answer = await shell.ask(commandLine('pm', verb, '--user', user, applicationId, permission, ...flags))
  const output = `${answer.stdout}\n${answer.stderr}`
  if (flags.length > 0 && UNKNOWN_COMMAND.test(output)) return false
  const complaint = complaintOf(answer) ?? /^.*Operation not allowed.*$/m.exec(output)?.[0].trim()
  if (complaint !== undefined) throw refusalIn(output, complaint, permission)
  return true
}

const ANSWERED = ['user-set', 'user-fixed']

/**
 * A refusal is marked as final, as if a person had said no twice: an application that asks is then refused without a dialog.
 * Android ends an application that loses a permission.
 */
export const changePermission = async (app: AppPermissions, current: AskedPermission, wanted: PermissionState) => {
  const { permission, state, flags } = current
  const op = appOpOf(permission)
  if (op !== undefined) return setAppOp(app.shell, { ...app, permission, op }, wanted, current.isOfUid ?? false)
  if (wanted === 'allow') {
    await change(app, 'grant', permission)
    if (flags.includes(USER_FIXED)) await change(app, 'clear-permission-flags', permission, 'user-fixed')
    return
  }
  const isMarked = flags.some(flag => flag === USER_FIXED || flag === 'USER_SET')
  if (wanted === 'unset' && isMarked && !(await change(app, 'clear-permission-flags', permission, ...ANSWERED))) {
    throw permissionRefused(
      'not_in_this_android',
      `this Android cannot forget that a person has answered for ${permission}`,
      'Use the state deny, or remove the data of the application with clear_app: that resets its permissions.',
    )
  }
  // Marked first: whoever looks between the two commands sees what was there before.
  if (wanted === 'deny' && app.sdk >= MARKS_SDK) await change(app, 'set-permission-flags', permission, ...ANSWERED)
  if (state === 'allow') await change(app, 'revoke', permission)
}
