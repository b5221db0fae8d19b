/** change_setting: reads the setting, remembers it, changes it, and reads it again. */

import type { SettingName } from '../../contracts/device/setting-names.ts'
import type { SettingValue } from '../../contracts/device/settings.ts'
import { pause } from '../../runtime/clock.ts'
import { currentUser } from '../apps/current-user.ts'
import type { Link } from '../link/link.ts'
import { CALL_MS, deviceShell, type ShellOptions } from '../operators/shell/device-shell.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { isSameState, type SettingChange } from './changes/ledger.ts'
import { cutsLink } from './cuts-link.ts'
import { DEVICE_SETTINGS } from './device-settings.ts'
import { isSameSetting } from './keys.ts'
import { type DeviceSetting, type SettingScope, type SettingState, settingRefused, unsupported } from './setting.ts'

export interface ChangeOptions extends ShellOptions {
  link: Link
  /** Resolves once the previous state cannot be lost. */
  remember?: ((change: SettingChange) => Promise<void>) | undefined
}

interface SettingParams {
  setting: SettingName
  value: SettingValue
  applicationId?: string | undefined
  force: boolean
}

export const settingText = (value: SettingValue | null): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** The system takes up to some seconds until a change can be read. */
const SETTLE_MS = 5_000
const LOOK_AGAIN_MS = 100

/** The state once it is as it should be, else the last one. */
export const stateOnce = async (
  setting: DeviceSetting,
  scope: SettingScope,
  isDone: (state: SettingState) => boolean,
): Promise<SettingState | undefined> => {
  const { clock, signal, deadline } = scope.shell.options
  const until = Math.min(clock.now() + SETTLE_MS, deadline)
  for (;;) {
    const state = await setting.read(scope)
    if ((state && isDone(state)) || clock.now() + LOOK_AGAIN_MS >= until) return state
    await pause(clock, LOOK_AGAIN_MS, signal)
  }
}

export const scopeFor = async (
  { link, ...options }: ShellOptions & { link: Link },
  applicationId?: string,
): Promise<SettingScope> => {
  const { clock, deadline, signal } = options
  const user = await currentUser(link, { deadline: Math.min(deadline, clock.now() + CALL_MS), signal })
  return { shell: deviceShell(link, options), user, ...(applicationId === undefined ? {} : { applicationId }) }
}

const WOULD_CUT = 'Connect the device by USB, or use `force`: then nobody hears whether the change was made.'

export const changeSetting = async (
  { setting: name, value, applicationId, force }: SettingParams,
  options: ChangeOptions,
): Promise<Record<string, string>> => {
  const { link, remember = async () => {} } = options
  if (!force && cutsLink(name, value, link.serial)) {
    throw settingRefused('would_cut_link', `${name} ${settingText(value)} would cut the link to ${link.serial}`, {
      hint: WOULD_CUT,
    })
  }
  const setting = DEVICE_SETTINGS[name]
  const scope = await scopeFor(options, applicationId)
  const previous = await setting.read(scope)
  if (!previous) throw unsupported(`the device does not tell its setting ${name}`)
  const answer = (state: SettingState) => ({
    setting: name,
    value: settingText(setting.valueIn(state)),
    previous: settingText(setting.valueIn(previous)),
  })
  if (setting.has(previous, value)) return answer(previous)

  const target = setting.stateFor(value, previous)
  const keep = (state: SettingState) =>
    remember({
      kind: 'setting',
      setting: name,
      ...(applicationId === undefined ? {} : { applicationId }),
      ...(setting.isOfUser ? { user: scope.user } : {}),
      previous,
      value: state,
    })
  /** Remembers what the device made of the value: it is svc's change all the same, and is put back like any other. */
  const keepActual = async (state: SettingState | undefined) => {
    if (state && !isSameState(state, target) && !isSameSetting(setting, state, previous)) await keep(state)
  }
  await keep(target)
  try {
    await setting.write(target, scope)
  } catch (error) {
    if (error instanceof StepFailure) await keepActual(await setting.read(scope))
    throw error
  }
  const present = await stateOnce(setting, scope, state => setting.has(state, value))
  await keepActual(present)
  if (present && setting.has(present, value)) return answer(present)
  const presentText = present ? settingText(setting.valueIn(present)) : 'not told'
  throw settingRefused('not_applied', `the device took ${name} ${settingText(value)}, but it is ${presentText}`)
}
