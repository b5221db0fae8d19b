/** A package as the commands of the shell speak of it: the same to each of them. */
import { apkPath } from '../package-manager.ts'
import type { Phone } from '../phone.ts'

export interface PackageEntry {
  name: string
  /** The path of its APK. */
  path: string
  uid: number
  /** It came with the phone and is not one of the user's own. */
  isSystem: boolean
  isHome: boolean
  versionCode: number
  versionName: string
}

const FIRST_APP_UID = 10_000

const pathOf = (name: string, isSystem: boolean): string => {
  if (!isSystem) return apkPath(name)
  return name === 'android' ? '/system/framework/framework-res.apk' : `/system/priv-app/${name}/${name}.apk`
}

/** Finds the entry of an installed package. */
export const packageEntry = (phone: Phone, name: string): PackageEntry => {
  const {
    isSystem = false,
    isHome = false,
    uid = FIRST_APP_UID + phone.packages().indexOf(name),
    versionCode = 1,
    versionName = '1.0',
  } = phone.appFacts?.(name) ?? {}
  return { name, path: pathOf(name, isSystem), uid, isSystem, isHome, versionCode, versionName }
}

/** The name that `ps` prints for the user of a process. */
export const userName = (uid: number): string => (uid < FIRST_APP_UID ? 'system' : `u0_a${uid - FIRST_APP_UID}`)
