/** The two helper packages of `svc.uiautomator`: what the build ships, and what a phone must have to be worked with. */

export interface HelperApk {
  packageName: string
  versionCode: number
  /** Anybody can sign an "update" with the key of these packages: only the digest says that it is this one. */
  sha256: string
  bytes: number
  /** Under `dist/helper`. */
  file: string
  /** Under the package that has it. */
  asset: string
  minSdk: number
}

/** No code of this package is loaded; the build takes the files below from it. */
export const HELPER_SOURCE = {
  package: 'agent-device',
  version: '0.21.5',
  license: 'LICENSE',
  licenseFile: 'LICENSE-agent-device.txt',
} as const

/** Reads the screen and injects touches. */
export const SNAPSHOT_HELPER: HelperApk = {
  packageName: 'com.callstack.agentdevice.snapshothelper',
  versionCode: 21_005,
  sha256: 'e77b65f51664e95680379cd1a5c8331926b63cf506261df56151854673787514',
  bytes: 29_099,
  file: 'snapshot-helper-0.21.5.apk',
  asset: 'android/snapshot-helper/dist/agent-device-android-snapshot-helper-0.21.5.apk',
  minSdk: 23,
}

/** Types what the keys of `input` cannot. */
export const KEYBOARD_HELPER: HelperApk = {
  packageName: 'com.callstack.agentdevice.imehelper',
  versionCode: 21_005,
  sha256: '2b8fe19f9cf38877dbc4e0bd9400e4d1aebc7b8c2f6063e04f5f198d1564c08d',
  bytes: 12_779,
  file: 'keyboard-helper-0.21.5.apk',
  asset: 'android/ime-helper/dist/agent-device-android-ime-helper-0.21.5.apk',
  minSdk: 23,
}

export const HELPER_APKS = [SNAPSHOT_HELPER, KEYBOARD_HELPER] as const
