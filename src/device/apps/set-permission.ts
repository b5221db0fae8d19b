/** set_permission, the permissions of open_app, and the way back for what they changed. */

import { isPermissionGroup, type PermissionState } from '../../contracts/device/permissions.ts'
import { PERMISSION_STATES } from '../../contracts/json/literals.ts'
import type { ChangedState, DeviceChange, PermissionChange } from '../settings/changes/ledger.ts'
import {
  type AppPermissions,
  type AskedPermission,
  askPermission,
  askPermissions,
  changePermission,
  isAlready,
  type LinkOptions,
  shownAs,
} from './app-permissions.ts'
import { appOpOf, compareByOrder, permissionsOf } from './permission-groups.ts'
import { isNotRequested, permissionRefused } from './permission-refusal.ts'

export interface ChangeOptions extends LinkOptions {
  /** Throws a StepFailure when this host may no longer act on the phone. */
  mayAct?: (() => void) | undefined
  /** Keeps what there was before; called before the command that changes it is sent. */
  remember?: ((change: DeviceChange) => Promise<void>) | undefined
  /** Hears of each permission once the device has taken the command for it. */
  onChanged?: ((permission: string, state: PermissionState) => void) | undefined
}

interface Wanted {
  permission: string
  state: PermissionState
  /** The permission is passed over where the application does not ask for it. */
  ifRequested?: boolean | undefined
}

const asksFor = ({ requested, runtime }: AppPermissions, permission: string) =>
  requested.includes(permission) || runtime.has(permission)

/** From here on, applications ask for pictures, videos and sound apart from each other. */
const MEDIA_SDK = 33
const USE_MEDIA = 'Name media: from API level 33 on applications ask for pictures, videos and sound instead of storage.'

const none = (app: AppPermissions, group: string, known: readonly string[]) => {
  const { applicationId, sdk } = app
  if (known.length > 0) {
    const names = known.map(name => name.slice(name.lastIndexOf('.') + 1)).join(', ')
    const message = `${applicationId} asks for no permission of the group ${group} (${names})`
    return permissionRefused('not_requested', message, group === 'storage' && sdk >= MEDIA_SDK ? USE_MEDIA : undefined)
  }
  return permissionRefused(
    'not_in_this_android',
    `at API level ${sdk} Android asks nobody about ${group}: every application has it`,
    'Leave it out for devices of this version: notifications are asked about from API level 33 on, Bluetooth from 31 on.',
  )
}

/** The permissions that a name stands for, on this device and for this application. */
const meantBy = (app: AppPermissions, name: string): readonly string[] => {
  if (!isPermissionGroup(name)) {
    if (asksFor(app, name)) return [name]
    throw permissionRefused('not_requested', `${app.applicationId} does not ask for ${name}`)
  }
  const known = permissionsOf(name, app.sdk)
  if (name === 'all') {
    const listed = [...app.runtime.keys()].filter(permission => !known.includes(permission))
    return [...known.filter(permission => asksFor(app, permission)), ...listed]
  }
  const matching = known.filter(permission => asksFor(app, permission))
  if (matching.length === 0) throw none(app, name, known)
  return matching
}

const meantByWanted = (app: AppPermissions, { permission, ifRequested }: Wanted): readonly string[] => {
  try {
    return meantBy(app, permission)
  } catch (error) {
    if (ifRequested && isNotRequested(error)) return []
    throw error
  }
}

const breadthOf = (name: string): number => {
  if (name === 'all') return 0
  return isPermissionGroup(name) ? 1 : 2
}

interface Plan {
  current: AskedPermission
  wanted: PermissionState
}

/** The narrower name wins: `all` denied and `camera` allowed leaves the camera. */
const planFor = async (app: AppPermissions, all: readonly Wanted[]): Promise<Plan[]> => {
  const states = new Map<string, PermissionState>()
  const mayBeLeft = new Set<string>()
  for (const wanted of [...all].sort((a, b) => breadthOf(a.permission) - breadthOf(b.permission))) {
    for (const permission of meantByWanted(app, wanted)) {
      states.set(permission, wanted.state)
      if (wanted.permission === 'all') mayBeLeft.add(permission)
      else mayBeLeft.delete(permission)
    }
  }
  const plans: Plan[] = []
  for (const [permission, wanted] of states) {
    const current = await askPermission(app, permission)
    if (current.isFixed && current.state !== wanted) {
      if (mayBeLeft.has(permission)) continue
      throw permissionRefused('fixed', `${permission} of ${app.applicationId} is held by the system or a device policy`)
    }
    plans.push({ current, wanted })
  }
  // Android takes the location in the background only after that in the foreground, and gives it back before.
  const sign = ({ wanted }: Plan) => (wanted === 'allow' ? 1 : -1)
  return plans.sort((a, b) => sign(a) - sign(b) || sign(a) * compareByOrder(a.current.permission, b.current.permission))
}

/** The device says nothing of some refusals. */
const prove = async (plans: readonly Plan[], before: AppPermissions, options: ChangeOptions) => {
  const app = await askPermissions(before.applicationId, options, before.user)
  for (const { current, wanted } of plans) {
    const now = await askPermission(app, current.permission)
    const isAllowed = now.state === 'allow'
    const isSo = appOpOf(current.permission) === undefined ? isAllowed === (wanted === 'allow') : now.state === wanted
    if (isSo) continue
    const isRestricted = now.flags.includes('APPLY_RESTRICTION')
    throw permissionRefused(
      isRestricted ? 'fixed' : 'refused',
      `the device did not change ${current.permission} of ${app.applicationId}, and does not say why`,
      isRestricted ? 'Android restricts it for an application of this origin: install it with adb or svc.' : undefined,
    )
  }
}

/** The plans with the states that were there before. */
const changeAll = async (
  { applicationId, user }: { applicationId: string; user?: string | undefined },
  all: readonly Wanted[],
  options: ChangeOptions,
): Promise<Plan[]> => {
  const { remember, onChanged, mayAct = () => {} } = options
  const app = await askPermissions(applicationId, options, user)
  const plans = await planFor(app, all)
  const due = plans.filter(({ current, wanted }) => !isAlready(wanted, current, app))
  for (const { current, wanted } of due) {
    const { permission, state: previous } = current
    const value = shownAs(wanted, current, app)
    await remember?.({ kind: 'permission', applicationId, permission, user: app.user, previous, value })
    mayAct()
    await changePermission(app, current, wanted)
    onChanged?.(permission, wanted)
  }
  if (due.length > 0) await prove(due, app, options)
  return plans
}

/** Several permissions that were not in one state. */
const MIXED = 'mixed'

export const setPermission = async (
  { applicationId, ...wanted }: Wanted & { applicationId: string },
  options: ChangeOptions,
): Promise<Record<string, string>> => {
  const plans = await changeAll({ applicationId }, [wanted], options)
  const states = new Set<string>(plans.map(({ current }) => current.state))
  const [previous = 'unset'] = states
  return { permission: wanted.permission, previous: states.size > 1 ? MIXED : previous }
}

type PermissionStates = Readonly<Record<string, PermissionState>>

interface WantedOfApp {
  applicationId: string
  permissions: PermissionStates
  ifRequested?: boolean | undefined
}

const wantedIn = ({ permissions, ifRequested }: WantedOfApp): Wanted[] =>
  Object.entries(permissions).map(([permission, state]) => ({ permission, state, ifRequested }))

/** Throws what can be refused before anything is changed: names that are unknown or not asked for, and what is fixed. */
export const checkPermissions = async (wanted: WantedOfApp, options: LinkOptions): Promise<void> => {
  const all = wantedIn(wanted)
  if (all.length > 0) await planFor(await askPermissions(wanted.applicationId, options), all)
}

export const setPermissions = async (wanted: WantedOfApp, options: ChangeOptions): Promise<void> => {
  const all = wantedIn(wanted)
  if (all.length > 0) await changeAll({ applicationId: wanted.applicationId }, all, options)
}

type ChangedPermission = Pick<PermissionChange, 'applicationId' | 'permission' | 'user'>

const asState = (state: ChangedState): PermissionState => {
  const known = PERMISSION_STATES.find(each => each === state)
  if (known !== undefined) return known
  throw permissionRefused('refused', 'this version of svc knows no such state of a permission')
}

/** Reads how a permission that set_permission has changed is now, and puts it back. */
export const permissionsToRestore = (options: Omit<ChangeOptions, 'remember'>) => ({
  /** Throws APP_NOT_FOUND, and the reason `not_requested` where the application asks for it no more. */
  async read({ applicationId, permission, user }: ChangedPermission): Promise<PermissionState> {
    const app = await askPermissions(applicationId, options, user)
    meantBy(app, permission)
    return (await askPermission(app, permission)).state
  },
  /** Into a state that `read` has shown. Nothing is remembered. */
  async putBack({ applicationId, permission, user }: ChangedPermission, state: ChangedState): Promise<void> {
    await changeAll({ applicationId, user }, [{ permission, state: asState(state) }], {
      ...options,
      remember: undefined,
    })
  },
})
