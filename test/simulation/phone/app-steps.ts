/** The applications of a simulated phone that steps of the host install, clear, open and give permissions to. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from '../../../src/runtime/once.ts'
import { binaryXml, zipOf } from '../../support/device/built-apk.ts'
import type { Ask } from '../plan/plan.ts'

/** All requests that install do so with a version of their own of this one. */
export const INSTALLED = 'com.example.installed'
export const CAMERA = 'android.permission.CAMERA'
const FIRST_VERSION = 100

const numberOf = (command: string): number => Number(/\d+$/.exec(command)?.[0] ?? 0)

/** Of this request alone; no name is the beginning of another. */
export const ownPackage = (command: string): string => `com.example.own${String(numberOf(command)).padStart(2, '0')}`

export const versionOf = (command: string): number => FIRST_VERSION + numberOf(command)

/** More than one packet, and of this request alone. */
export const linesOf = (command: string, bytes: number): Buffer => Buffer.alloc(bytes, `${command}\n`)

const APK_BYTES = 70_000
const SPLIT = 'config.en'

export interface BuiltParts {
  base: Buffer
  split: Buffer
}

const apkOf = (command: string, split: string | undefined): Buffer => {
  const attributes = {
    package: INSTALLED,
    versionCode: versionOf(command),
    ...(split ? { split } : { versionName: command }),
  }
  const application = { tag: 'application', attributes: { debuggable: true } }
  return zipOf(
    [
      { name: 'AndroidManifest.xml', content: binaryXml({ tag: 'manifest', attributes, children: [application] }) },
      { name: 'assets/data', content: linesOf(command, APK_BYTES), stored: true },
    ],
    { signedBy: 'someone' },
  )
}

const built = new Map<string, BuiltParts>()
export const apksOf = (command: string): BuiltParts => {
  const parts = built.get(command) ?? { base: apkOf(command, undefined), split: apkOf(command, SPLIT) }
  built.set(command, parts)
  return parts
}

const folder = once(() => {
  const made = mkdtempSync(join(tmpdir(), 'svc-apks-'))
  process.on('exit', () => rmSync(made, { recursive: true, force: true }))
  return made
})
const written = new Map<string, readonly [string, string]>()

const apkFiles = (command: string): readonly [string, string] => {
  const known = written.get(command)
  if (known) return known
  const paths = [join(folder(), `${command}.apk`), join(folder(), `${command}-split.apk`)] as const
  const { base, split } = apksOf(command)
  writeFileSync(paths[0], base)
  writeFileSync(paths[1], split)
  written.set(command, paths)
  return paths
}

/** The request whose APK it is; undefined for one that is not whole. */
export const installerOf = (
  content: Uint8Array,
  commands: readonly string[],
  part: keyof BuiltParts,
): string | undefined => commands.find(command => apksOf(command)[part].equals(content))

export type AppDeed =
  | { kind: 'install'; isSplit?: true }
  | { kind: 'uninstall' }
  | { kind: 'clear' }
  | { kind: 'permission'; state: 'allow' | 'deny' }
  /** Cleared, then with a permission. */
  | { kind: 'open' }

export const APP_KINDS = ['install', 'install', 'uninstall', 'clear', 'permission', 'open'] as const

export const appActionOf = (command: string, deed: AppDeed) => {
  const applicationId = ownPackage(command)
  switch (deed.kind) {
    case 'install': {
      const [base, split] = apkFiles(command)
      return { type: 'install_app', params: { paths: deed.isSplit ? [base, split] : [base], downgrade: true } }
    }
    case 'uninstall':
      return { type: 'uninstall_app', params: { applicationId } }
    case 'clear':
      return { type: 'clear_app', params: { applicationId } }
    case 'permission':
      return { type: 'set_permission', params: { applicationId, permission: 'camera', state: deed.state } }
    case 'open':
      return {
        type: 'open_app',
        // The screen stays that of the counter, so nothing is waited for.
        params: { applicationId, clearState: true, permissions: { camera: 'allow' }, skipNavigationWait: true },
      }
  }
}

export const appMark = (done: string, packageName: string): string => `${done} ${packageName}`
export const installMark = (command: string): string => appMark('installed', `${INSTALLED} of ${command}`)

/** All that a step may leave on a phone, its last effect first. */
export const appMarksOf = (command: string, deed: AppDeed): readonly string[] => {
  const own = ownPackage(command)
  switch (deed.kind) {
    case 'install':
      return [installMark(command)]
    case 'uninstall':
      return [appMark('uninstalled', own)]
    case 'clear':
      return [appMark('cleared', own)]
    case 'permission':
      return [appMark(deed.state, own)]
    case 'open':
      return [appMark('opened', own), appMark('allow', own), appMark('cleared', own)]
  }
}

/** In the command line that has the last effect; undefined for an installation. */
export const appWordsOf = (command: string, deed: AppDeed): RegExp | undefined => {
  const own = ownPackage(command)
  switch (deed.kind) {
    case 'install':
      return undefined
    case 'permission':
      return new RegExp(`^pm (?:grant|revoke) .*${own} `)
    case 'open':
      return new RegExp(`^am start .*${own}`)
    default:
      return new RegExp(`^pm ${deed.kind} .*${own}$`)
  }
}

const ownApp = (packageName: string, state: 'allow' | 'unset') => ({
  package: packageName,
  label: packageName,
  screens: { main: { nodes: [] } },
  permissions: [{ name: CAMERA, state }],
})

/** As a scenario is written. */
export const appsFor = (asks: readonly Ask[]) =>
  asks.flatMap(({ command, hostStep }) => {
    if (hostStep === undefined || hostStep.kind === 'install') return []
    if (!APP_KINDS.some(kind => kind === hostStep.kind)) return []
    const isDenied = hostStep.kind === 'permission' && hostStep.state === 'deny'
    return [ownApp(ownPackage(command), isDenied ? 'allow' : 'unset')]
  })
