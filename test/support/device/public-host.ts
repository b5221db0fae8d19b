/** The host that the makers of the helper publish with it, on a device behind a real adb. */
import { spawn } from 'node:child_process'
import type { RealAdb } from '../adb/real-adb.ts'

interface ExecResult {
  exitCode: number
  stdout: string
  stderr: string
}

export interface HostDevice {
  platform: 'android'
  id: string
  name: string
  kind: 'device'
  booted: boolean
}

export interface HostNode {
  identifier?: string
  label?: string
  value?: string
  hiddenContentAbove?: boolean
  hiddenContentBelow?: boolean
}

export interface HostSnapshot {
  nodes: readonly HostNode[]
  truncated?: boolean
  quality: { state: string }
  androidSnapshot: Record<string, unknown>
}

interface Viewport {
  x: number
  y: number
  width: number
  height: number
}

type Exec = (args: readonly string[]) => Promise<ExecResult>
interface ReadOutput {
  xml: string
  metadata: Record<string, unknown>
}

/** As far as the tests use it. Each name is one that the package gives its own parts. */
export interface PublicHost {
  parseAndroidSnapshotHelperOutput(said: string): ReadOutput
  snapshotAndroid(device: HostDevice, options: object): Promise<HostSnapshot>
  executeAndroidTouchHelperPlan(device: HostDevice, plan: object): Promise<Record<string, unknown>>
  readAndroidGestureViewport(device: HostDevice): Promise<Viewport>
  stopAndroidSnapshotHelperSessionForDevice(device: HostDevice): Promise<void>
  listAndroidAppsWithAdb(exec: Exec, options?: { filter?: string }): Promise<{ package: string }[]>
  activateAndroidTestIme(device: HostDevice, options: { stateDir: string }): Promise<object>
  restoreAndroidTestIme(device: HostDevice, options: { stateDir: string }): Promise<object>
  sendAndroidImeHelperText(exec: Exec, packageName: string, text: string): Promise<void>
  clearAndroidImeHelperText(exec: Exec, packageName: string): Promise<void>
  withAndroidAdbProvider<T>(provider: object, options: { serial: string }, act: () => Promise<T>): Promise<T>
}

/** None of this is exported under a name: the parts are found by what they hold. */
export const publicHost = async (): Promise<PublicHost> => {
  // The public door tells the parts where the machine is.
  await import('agent-device/android-adb')
  const parts: object = await import(new URL('mechanics.js', import.meta.resolve('agent-device')).href)
  const named = Object.values(parts).find(part => typeof part === 'object' && 'snapshotAndroid' in part)
  if (!named) throw new Error('agent-device keeps its host elsewhere now')
  return named
}

export const providerOf = (adb: RealAdb, serial: string) => {
  const exec: Exec = async args => {
    const { code, stdout, stderr } = await adb.run('-s', serial, ...args)
    return { exitCode: code, stdout, stderr }
  }
  return {
    exec,
    pull: (from: string, to: string) => exec(['pull', from, to]),
    install: (apk: string) => exec(['install', '-r', apk]),
    spawn: (args: readonly string[]) => spawn('adb', ['-s', serial, ...args], { env: adb.env }),
  }
}
