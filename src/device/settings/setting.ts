/** Says how a setting of a device is read and written, and how a phone refuses. */

import type { SettingValue } from '../../contracts/device/settings.ts'
import { commandLine } from '../../runtime/text/quote.ts'
import { type AskOptions, complaintOf, type DeviceShell, tooLargeAs } from '../operators/shell/device-shell.ts'
import { StepFailure } from '../screen/step-failure.ts'

/** The keys behind a setting as the device has them; null for one that is absent. */
export type SettingState = Readonly<Record<string, string | null>>

export interface SettingScope {
  shell: DeviceShell
  /** The Android user in front. */
  user: string
  applicationId?: string | undefined
}

export interface DeviceSetting {
  /** True for a setting of one Android user; the others are of the whole device. */
  isOfUser: boolean
  /** Undefined where this device does not say. */
  read(scope: SettingScope): Promise<SettingState | undefined>
  /** Null for one that is not set. */
  valueIn(state: SettingState): SettingValue | null
  /** Tells what holds where nothing is set; `valueIn` answers where this is left out. */
  shown?(state: SettingState, scope: SettingScope): Promise<SettingValue | null>
  /** True when the device is as the value says. */
  has(state: SettingState, value: SettingValue): boolean
  stateFor(value: SettingValue, present: SettingState): SettingState
  /** Throws a StepFailure where the device refuses. */
  write(state: SettingState, scope: SettingScope): Promise<void>
  /** True when both are the same to the device; by their keys unless told. */
  isSame?(one: SettingState, other: SettingState): boolean
  /** True for what a change from one of these states to another goes through; by their keys unless told. */
  isBetween?(state: SettingState, states: readonly SettingState[]): boolean
}

export type RefusalReason =
  | 'application_not_found'
  | 'application_required'
  | 'not_applied'
  | 'refused'
  | 'unsupported'
  | 'would_cut_link'

export const settingRefused = (
  reason: RefusalReason,
  message: string,
  extra: { hint?: string | undefined; data?: Readonly<Record<string, string>> } = {},
): StepFailure => new StepFailure('SETTING_REFUSED', message, { hint: extra.hint, data: { ...extra.data, reason } })

/** The tool or its verb is not on this version of Android. */
const LACKS =
  /unknown command|no shell command implementation|can't find service|unknown option|not found$|inaccessible or not found/im

const MAKERS_HINT =
  'Switch on "USB debugging (Security settings)" on Xiaomi, or "Disable permission monitoring" on OPPO, realme and OnePlus, in the developer options; a device policy may forbid it, too.'
const BY_HAND_HINT = 'Change it by hand in the settings of the device.'

/** Answers with what the command prints. Throws a StepFailure where it complains, on whichever stream and with whichever exit code. */
export const askSetting = async ({ shell }: SettingScope, words: readonly string[], options?: AskOptions) => {
  const answer = await shell.ask(commandLine(...words), options).catch(tooLargeAs('SETTING_REFUSED'))
  const output = `${answer.stdout}\n${answer.stderr}`
  const complaint = complaintOf(answer)
  if (LACKS.test(output) && (complaint !== undefined || answer.stdout.trim().split('\n').length < 2)) {
    const line = output.split('\n').find(each => LACKS.test(each))
    throw settingRefused('unsupported', `this Android has no such command: ${line?.trim()}`, { hint: BY_HAND_HINT })
  }
  if (complaint === undefined) return answer.stdout
  throw settingRefused('refused', `the device refused: ${complaint}`, {
    hint: /permission|securityexception/i.test(complaint) ? MAKERS_HINT : undefined,
  })
}

/** The same, and undefined where this Android has no such command. */
export const askIfKnown = async (...args: Parameters<typeof askSetting>): Promise<string | undefined> => {
  try {
    return await askSetting(...args)
  } catch (error) {
    if (error instanceof StepFailure && error.data.reason === 'unsupported') return undefined
    throw error
  }
}

export const unsupported = (message: string, hint = BY_HAND_HINT) => settingRefused('unsupported', message, { hint })
