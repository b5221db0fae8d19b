/** The names in Android for the words of flows about keys and permissions. */

import { isPermissionName, PERMISSION_NAME_RULE } from '../../../contracts/device/permissions.ts'
import { keyNameOf } from '../../../contracts/executions/key-names.ts'
import { PERMISSION_GROUPS } from '../../../contracts/json/literals.ts'
import { didYouMean } from './problem.ts'

/** Permissions of iOS that Android has none for: they are left out. */
const IOS_ONLY = new Set([
  ...['faceid', 'health', 'homekit', 'motion', 'photos', 'reminders', 'siri', 'speech', 'usertracking'],
])
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['medialibrary', 'media']])
const KNOWN = [...PERMISSION_GROUPS, ...OTHER_NAMES.keys(), ...IOS_ONLY]

export type PermissionWord =
  | { readonly ok: true; readonly name: string | undefined }
  | { readonly ok: false; readonly expected: string; readonly hint?: string | undefined }

/** The name that svc knows; undefined for a permission of iOS. */
export const permissionOf = (word: string): PermissionWord => {
  const lower = word.toLowerCase()
  if (IOS_ONLY.has(lower)) return { ok: true, name: undefined }
  const name = OTHER_NAMES.get(lower) ?? (isPermissionName(lower) && !lower.includes('.') ? lower : word)
  if (isPermissionName(name)) return { ok: true, name }
  return { ok: false, expected: PERMISSION_NAME_RULE, hint: didYouMean(word, KNOWN) }
}

const KEYS: Readonly<Record<string, string>> = {
  Enter: 'enter',
  Backspace: 'del',
  Back: 'back',
  Home: 'home',
  Lock: 'soft_sleep',
  'Volume Up': 'volume_up',
  'Volume Down': 'volume_down',
  'Remote Dpad Up': 'dpad_up',
  'Remote Dpad Down': 'dpad_down',
  'Remote Dpad Left': 'dpad_left',
  'Remote Dpad Right': 'dpad_right',
  'Remote Dpad Center': 'dpad_center',
  'Remote Media Play Pause': 'media_play_pause',
  'Remote Media Stop': 'media_stop',
  'Remote Media Next': 'media_next',
  'Remote Media Previous': 'media_previous',
  'Remote Media Rewind': 'media_rewind',
  'Remote Media Fast Forward': 'media_fast_forward',
  Escape: 'escape',
  Power: 'power',
  Tab: 'tab',
  'Remote System Navigation Up': 'system_navigation_up',
  'Remote System Navigation Down': 'system_navigation_down',
  'Remote Button A': 'button_a',
  'Remote Button B': 'button_b',
  'Remote Menu': 'menu',
  'TV Input': 'tv_input',
  'TV Input HDMI 1': 'tv_input_hdmi_1',
  'TV Input HDMI 2': 'tv_input_hdmi_2',
  'TV Input HDMI 3': 'tv_input_hdmi_3',
}

export const KEY_WORDS: readonly string[] = Object.keys(KEYS)

/** The remote's keys are also known without the words Dpad and Media, as in REMOTE_UP. */
const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(KEYS).flatMap(([word, key]): [string, string][] => [
    [keyNameOf(word), key],
    [keyNameOf(word.replace(/^Remote (?:Dpad|Media) /, 'Remote ')), key],
  ]),
)

export const androidKeyOf = (word: string): string | undefined => BY_NAME.get(keyNameOf(word.trim()))
