/** Names and states of the permissions of applications, as callers give them. */
import * as v from 'valibot'
import { PERMISSION_GROUPS, PERMISSION_STATES } from '../json/literals.ts'
import { PERMISSION_NAME_CHARS_MAX } from '../limits/permission-limits.ts'

const FULL_NAME = /^[A-Za-z]\w*(?:\.\w+)+$/

export type PermissionGroup = (typeof PERMISSION_GROUPS)[number]

export const isPermissionGroup = (name: string): name is PermissionGroup =>
  PERMISSION_GROUPS.some(group => group === name)

export const isPermissionName = (name: string): boolean =>
  name.length <= PERMISSION_NAME_CHARS_MAX && (isPermissionGroup(name) || FULL_NAME.test(name))

export const PERMISSION_NAME_RULE = `a full name such as android.permission.CAMERA, or one of ${PERMISSION_GROUPS.join(', ')}`

export const PermissionName = v.pipe(
  v.string(),
  v.check(isPermissionName, `must be ${PERMISSION_NAME_RULE}`),
  v.metadata({
    minLength: 1,
    maxLength: PERMISSION_NAME_CHARS_MAX,
    pattern: `^(?:${PERMISSION_GROUPS.join('|')}|${FULL_NAME.source.slice(1, -1)})$`,
  }),
)

export const PermissionState = v.picklist(PERMISSION_STATES)
export type PermissionState = v.InferOutput<typeof PermissionState>
