/** The applications of a device, as its package manager names them. */
import * as v from 'valibot'
import { openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'
import { PermissionState } from './permissions.ts'

/** `system` came with the phone; `user` was installed since. */
export const APP_KINDS = ['user', 'system'] as const
export type AppKind = (typeof APP_KINDS)[number]
const kind = v.picklist(APP_KINDS)

export const AppsQuery = openObject({ kind: v.exactOptional(kind) })

export const ListedApp = openObject({
  applicationId: v.string(),
  kind,
  versionCode: v.exactOptional(count),
})
export type ListedApp = v.InferOutput<typeof ListedApp>

export const AppsResponse = openObject({ ok: v.literal(true), apps: v.array(ListedApp), count })
export type AppsResponse = v.InferOutput<typeof AppsResponse>

/** An application in the words of the device; what it does not say is left out. */
export const AppInfo = openObject({
  ...ListedApp.entries,
  versionName: v.exactOptional(v.string()),
  minSdk: v.exactOptional(count),
  targetSdk: v.exactOptional(count),
  uid: v.exactOptional(count),
  debuggable: v.boolean(),
  enabled: v.boolean(),
  /** The package that installed it. */
  installer: v.exactOptional(v.string()),
  /** Without the base. */
  splits: v.exactOptional(v.array(v.string())),
  /** In the local time of the device, which says no zone. */
  lastUpdated: v.exactOptional(v.string()),
  /** The permissions that a person can allow and deny. */
  permissions: v.array(
    openObject({
      permission: v.string(),
      granted: v.boolean(),
      /** `deny`: a person said no; `unset`: nobody was asked. Hosts of earlier versions do not say. */
      state: v.exactOptional(PermissionState),
      /** The system or a device policy holds it as it is. */
      fixed: v.exactOptional(v.boolean()),
    }),
  ),
})
export type AppInfo = v.InferOutput<typeof AppInfo>

export const AppResponse = openObject({ ok: v.literal(true), app: AppInfo })
export type AppResponse = v.InferOutput<typeof AppResponse>
