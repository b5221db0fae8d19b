/** restore_settings: puts back what svc changed on the device, newest first, and leaves what somebody else has changed since. */

import { SETTING_NAMES, type SettingName } from '../../contracts/device/setting-names.ts'
import type { FailureCode } from '../../contracts/failures/failures.ts'
import type { Link } from '../link/link.ts'
import type { ShellOptions } from '../operators/shell/device-shell.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { scopeFor, stateOnce } from './change-setting.ts'
import {
  type ChangedState,
  type ChangeTarget,
  isSameState,
  isWithin,
  type Ledger,
  nameOf,
  type OpenChange,
} from './changes/ledger.ts'
import { cutsLink } from './cuts-link.ts'
import { DEVICE_SETTINGS } from './device-settings.ts'
import { isSameSetting } from './keys.ts'
import { type SettingState, settingRefused, unsupported } from './setting.ts'

/** The changes of the device that are not put back yet. */
export interface OpenChanges {
  /** Oldest first. */
  list(): Ledger
  /** Resolves once the disk has it. */
  settled(change: OpenChange, how: 'restored' | 'left'): Promise<void>
}

export interface RestoreOptions extends ShellOptions {
  link: Link
  mayAct?: (() => void) | undefined
  openChanges?: OpenChanges | undefined
}

/** A thing that svc changed is read as it is now, and put back. */
interface Restorable {
  /** Undefined where it is gone from the device, as with an application that was removed. */
  read(): Promise<ChangedState | undefined>
  isSame(one: ChangedState, other: ChangedState): boolean
  /** True for what a change, or putting it back, goes through. */
  isBetween(state: ChangedState, states: readonly ChangedState[]): boolean
  /** Throws a StepFailure where the device refuses. */
  put(state: ChangedState): Promise<void>
}

type SettingTarget = Extract<ChangeTarget, { kind: 'setting' }>
type PermissionTarget = Extract<ChangeTarget, { kind: 'permission' }>

/** Permissions as they are read and put back where they are set. */
export interface PermissionsToRestore {
  /** Throws APP_NOT_FOUND, or the reason `not_requested`, where there is nothing to put back any more. */
  read(target: PermissionTarget): Promise<ChangedState>
  putBack(target: PermissionTarget, state: ChangedState): Promise<void>
}

const isSettingName = (name: string): name is SettingName => SETTING_NAMES.some(known => known === name)

const asState = (state: ChangedState): SettingState => (typeof state === 'object' && state !== null ? state : {})

const GONE_REASONS: readonly (string | undefined)[] = ['application_not_found', 'not_requested']

const isGone = (error: unknown) =>
  error instanceof StepFailure && (error.code === 'APP_NOT_FOUND' || GONE_REASONS.includes(error.data.reason))

const unlessGone = async <S>(read: () => Promise<S>): Promise<S | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

const settingOf = async ({ setting: name, applicationId, user }: SettingTarget, options: RestoreOptions) => {
  if (!isSettingName(name)) throw unsupported(`this version of svc knows no setting ${name}`)
  const setting = DEVICE_SETTINGS[name]
  const inFront = await scopeFor(options, applicationId)
  const scope = user === undefined ? inFront : { ...inFront, user }
  const restorable: Restorable = {
    read: () =>
      unlessGone(async () => {
        const state = await setting.read(scope)
        if (state) return state
        throw unsupported(`the device does not tell its setting ${name}`)
      }),
    isSame: (one, other) => isSameSetting(setting, asState(one), asState(other)),
    isBetween: (state, states) => (setting.isBetween ?? isWithin)(asState(state), states.map(asState)),
    async put(state) {
      const previous = asState(state)
      const value = setting.valueIn(previous)
      if (value !== null && cutsLink(name, value, options.link.serial)) {
        const hint = 'Connect the device by USB, and restore again.'
        throw settingRefused('would_cut_link', `to put ${name} back would cut the link to ${options.link.serial}`, {
          hint,
        })
      }
      await setting.write(previous, scope)
      const present = await stateOnce(setting, scope, found => isSameSetting(setting, found, previous))
      if (!present || !isSameSetting(setting, present, previous)) {
        throw settingRefused('not_applied', `the device took the previous ${name}, but has another one`)
      }
    },
  }
  return restorable
}

const permissionOf = (target: PermissionTarget, permissions: PermissionsToRestore): Restorable => ({
  read: () => unlessGone(() => permissions.read(target)),
  isSame: isSameState,
  isBetween: isWithin,
  put: state => permissions.putBack(target, state),
})

type Outcome = 'restored' | 'left' | 'unchanged'

const putBack = async (change: OpenChange, restorable: Restorable): Promise<Outcome> => {
  const present = await restorable.read()
  if (present === undefined) return 'left'
  if (restorable.isSame(present, change.previous)) return 'unchanged'
  const isOwn = change.values.some(value => restorable.isSame(present, value))
  if (!isOwn && !restorable.isBetween(present, [change.previous, ...change.values])) return 'left'
  await restorable.put(change.previous)
  return 'restored'
}

/** With these, nothing further may be changed. */
const STOPPING: readonly FailureCode[] = ['JOURNAL_UNAVAILABLE', 'FLEET_HOST_GONE']

/** A change that the device refuses stays open, and the others are put back all the same; `only` names settings. */
export const restoreSettings = async (
  options: RestoreOptions,
  permissions: PermissionsToRestore,
  only?: readonly string[],
): Promise<Record<string, string>> => {
  const { openChanges, mayAct = () => {} } = options
  const isWanted = ({ target }: OpenChange) =>
    only === undefined || (target.kind === 'setting' && only.includes(target.setting))
  const changes = (openChanges?.list() ?? []).filter(isWanted).toReversed()
  const left = new Set<string>()
  const failures: StepFailure[] = []
  let restored = 0
  for (const change of changes) {
    mayAct()
    try {
      const { target } = change
      const restorable =
        target.kind === 'setting' ? await settingOf(target, options) : permissionOf(target, permissions)
      const outcome = await putBack(change, restorable)
      await openChanges?.settled(change, outcome === 'left' ? 'left' : 'restored')
      if (outcome === 'restored') restored += 1
      if (outcome === 'left') left.add(nameOf(change.target))
    } catch (error) {
      if (!(error instanceof StepFailure) || STOPPING.includes(error.code)) throw error
      failures.push(error)
    }
  }
  const data = { restored: String(restored), left: JSON.stringify([...left]) }
  const [first] = failures
  if (!first) return data
  const count = `${failures.length} of ${changes.length} changes could not be put back`
  throw new StepFailure('SETTING_REFUSED', `${count}: ${first.message}`, {
    hint: first.hint,
    data: { ...first.data, ...data },
  })
}
