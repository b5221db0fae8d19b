/** The names of permissions in flows: words for groups, and full names. */

import { isPermissionName, PERMISSION_NAME_RULE } from '../../../contracts/device/permissions.ts'
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
