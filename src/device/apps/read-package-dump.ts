/** Reads what `dumpsys package <name>` says of one application and one user, on Android 7 and later. */
import type { AppInfo } from '../../contracts/device/apps.ts'
import type { PermissionState } from '../../contracts/device/permissions.ts'
import { defined } from '../../contracts/json/json.ts'

const VALUE_CHARS_MAX = 200
const LISTED_MAX = 1_000

/** A device is not believed to keep to any length or to printable characters. */
const clean = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, VALUE_CHARS_MAX)

const depthOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0

/** The line that begins so, and those below it that are indented further. */
const blockAfter = (lines: readonly string[], isHead: (line: string) => boolean): readonly string[] | undefined => {
  const start = lines.findIndex(isHead)
  if (start < 0) return undefined
  const depth = depthOf(lines[start] ?? '')
  const length = lines.slice(start + 1).findIndex(line => line.trim() !== '' && depthOf(line) <= depth)
  return lines.slice(start, length < 0 ? undefined : start + 1 + length)
}

const valueIn = (lines: readonly string[], pattern: RegExp): string | undefined => {
  for (const line of lines) {
    const found = pattern.exec(line)?.[1]
    if (found !== undefined) return clean(found)
  }
  return undefined
}

const numberIn = (lines: readonly string[], pattern: RegExp): number | undefined => {
  const value = Number(valueIn(lines, pattern) ?? Number.NaN)
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

const USER_RANGE = 100_000
/** The states in which the user or the system has switched it off. */
const DISABLED = ['2', '3', '4']

const userBlock = (lines: readonly string[], user: string) =>
  blockAfter(lines, line => line.trimStart().startsWith(`User ${user}:`)) ?? []

const GRANT = /^\s+([\w.]+): granted=(true|false)(?:, flags=\[([^\]]*)\])?/

export interface RuntimePermission {
  permission: string
  granted: boolean
  /** The names are those of Android; older versions may tell none. */
  flags: readonly string[]
}

/** A person has answered, or somebody in their place. */
const ANSWERED = ['USER_SET', 'USER_FIXED']
const FIXED = ['SYSTEM_FIXED', 'POLICY_FIXED']

export const stateOf = ({ granted, flags }: RuntimePermission): PermissionState => {
  if (granted) return 'allow'
  return flags.some(flag => ANSWERED.includes(flag)) ? 'deny' : 'unset'
}

/** True for one that the system or a device policy holds as it is. */
export const isFixed = ({ flags }: RuntimePermission): boolean => flags.some(flag => FIXED.includes(flag))

const permissionsIn = (user: readonly string[]): RuntimePermission[] =>
  (blockAfter(user, line => line.trim() === 'runtime permissions:') ?? [])
    .flatMap(line => {
      const [, permission, granted, flags = ''] = GRANT.exec(line) ?? []
      if (permission === undefined) return []
      const named = flags.split(/[|\s]+/).filter(flag => flag !== '')
      return [{ permission: clean(permission), granted: granted === 'true', flags: named }]
    })
    .slice(0, LISTED_MAX)

/** Applications that share a uid have their permissions under it. */
const sharedUser = (dump: readonly string[], packageLines: readonly string[]): readonly string[] => {
  const name = valueIn(packageLines, /^\s+sharedUser=SharedUserSetting\{\S+ ([\w.]+)\//)
  if (name === undefined) return []
  const shared = blockAfter(dump, line => line === 'Shared users:') ?? []
  return blockAfter(shared, line => line.startsWith(`  SharedUser [${name}]`)) ?? []
}

const splitsIn = (packageLines: readonly string[]): string[] =>
  (valueIn(packageLines, /^\s+splits=\[(.*)\]/) ?? '')
    .split(',')
    .map(split => split.trim())
    .filter(split => split !== '' && split !== 'base')
    .slice(0, LISTED_MAX)

type Found = { app: AppInfo; requested: readonly string[]; runtime: readonly RuntimePermission[] }

/** Undefined for an application that this user does not have. */
export const readPackageDump = (output: string, applicationId: string, user: string): Found | undefined => {
  const dump = output.split(/\r?\n/)
  // `Hidden system packages:` repeats an updated one with the version that came with the phone.
  const packages = blockAfter(dump, line => line === 'Packages:') ?? []
  const packageLines = blockAfter(packages, line => line.startsWith(`  Package [${applicationId}] (`))
  if (!packageLines) return undefined
  const state = userBlock(packageLines, user)
  const stated = (key: string) => valueIn(state, new RegExp(`\\s${key}=(\\w+)`))
  if (stated('installed') === 'false') return undefined
  const flags = (valueIn(packageLines, /^\s+(?:pkgFlags|flags)=\[(.*)\]/) ?? '').split(' ')
  const appId = numberIn(packageLines, /^\s+(?:appId|userId)=(\d+)/)
  const versionName = valueIn(packageLines, /^\s+versionName=(.+)/)
  const installer = valueIn(packageLines, /^\s+installerPackageName=([\w.]+)/)
  const splits = splitsIn(packageLines)
  const ofItsOwn = permissionsIn(state)
  const runtime = ofItsOwn.length > 0 ? ofItsOwn : permissionsIn(userBlock(sharedUser(dump, packageLines), user))
  const app: AppInfo = {
    applicationId,
    kind: flags.includes('SYSTEM') ? 'system' : 'user',
    ...defined({
      versionCode: numberIn(packageLines, /^\s+versionCode=(\d+)/),
      versionName: versionName === 'null' ? undefined : versionName,
      minSdk: numberIn(packageLines, /\sminSdk=(\d+)/),
      targetSdk: numberIn(packageLines, /\stargetSdk=(\d+)/),
      uid: appId === undefined ? undefined : Number(user) * USER_RANGE + appId,
      installer: installer === 'null' ? undefined : installer,
      splits: splits.length === 0 ? undefined : splits,
      lastUpdated: valueIn(packageLines, /^\s+lastUpdateTime=(.+)/),
    }),
    debuggable: flags.includes('DEBUGGABLE'),
    enabled: !DISABLED.includes(stated('enabled') ?? ''),
    permissions: runtime.map(each => ({
      permission: each.permission,
      granted: each.granted,
      state: stateOf(each),
      ...(isFixed(each) ? { fixed: true } : {}),
    })),
  }
  const requested = (blockAfter(packageLines, line => line.trim() === 'requested permissions:') ?? []).slice(1)
  return { app, requested: requested.map(line => clean(line.split(':')[0] ?? '')).slice(0, LISTED_MAX), runtime }
}
