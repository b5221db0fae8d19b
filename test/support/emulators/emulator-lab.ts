/** `svc` before a simulated Android SDK and a real adb server, both its own; nothing of them runs on after its tests. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolName } from '../../fixtures/sdk/call-log.ts'
import { releaseEmulators } from '../../fixtures/sdk/emulator/release.ts'
import type { SdkModes } from '../../fixtures/sdk/modes.ts'
import { type AndroidSdk, createSdk, type SdkOptions } from '../adb/android-sdk.ts'
import { createRealAdb, type RealAdb } from '../adb/real-adb.ts'
import { type CliHereOptions, runCliHere } from '../cli/cli-here.ts'
import { type CliEnded, type CliOptions, type RunningCli, startCli } from '../cli/run-cli.ts'
import { type Serving, type ServingHere, startServe, startServeHere } from '../cli/serve.ts'
import { type Answer, call, codeOf } from '../http/http-client.ts'
import { until } from '../until.ts'

/** Of the kind that counts as supported on this host. */
export const ABI = process.arch === 'arm64' ? 'arm64-v8a' : 'x86_64'
export const IMAGE = `system-images;android-35;google_apis_playstore;${ABI}`
export const OTHER_IMAGE = `system-images;android-34;google_apis;${ABI}`

/** Quick where a test does not say otherwise, and long enough for a busy machine. */
const LIMITS = { SVC_EMULATOR_REGISTER_S: '30', SVC_EMULATOR_BOOT_S: '30', SVC_EMULATOR_STOP_S: '20' }

export interface EmulatorLab {
  sdk: AndroidSdk
  adb: RealAdb
  env: NodeJS.ProcessEnv
  /** `~/.svc`. */
  svcHome: string
  addAvds(...names: string[]): void
  /** Ends the phase that the emulators of these AVDs are held in. */
  release(...names: string[]): void
  start(args: readonly string[], options?: CliOptions): RunningCli
  /** Inside this process. */
  svc(args: readonly string[], options?: CliHereOptions): Promise<CliEnded>
  /** Inside this process. */
  serve(env?: NodeJS.ProcessEnv): Promise<ServingHere>
  /** In a process of its own, which can be killed. */
  serveApart(env?: NodeJS.ProcessEnv): Promise<Serving>
  /** Pids of the tools that ever ran and still do. */
  alive(tool?: ToolName): number[]
  shell(serial: string, line: string): Promise<string>
  close(): Promise<void>
}

const isAlive = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}

export const startEmulatorLab = async (options: Partial<SdkOptions> = {}): Promise<EmulatorLab> => {
  const adb = createRealAdb()
  await adb.start()
  const root = mkdtempSync(join(tmpdir(), 'svc-sdk-'))
  const sdk = createSdk({ root, installed: [IMAGE, OTHER_IMAGE], adbServer: adb.socketPath, ...options })
  const env = { ...sdk.env, ...LIMITS }
  const running: RunningCli[] = []
  const serving: Serving[] = []
  const servingHere: ServingHere[] = []
  const start: EmulatorLab['start'] = (args, more = {}) => {
    const started = startCli(args, { input: '', cwd: sdk.home, ...more, env: { ...env, ...more.env } })
    running.push(started)
    return started
  }
  return {
    sdk,
    adb,
    env,
    svcHome: join(sdk.home, '.svc'),
    addAvds: (...names) => {
      for (const name of names) sdk.addAvd({ name, image: IMAGE })
    },
    release: (...names) => {
      for (const name of names) releaseEmulators(sdk.root, name)
    },
    start,
    svc: (args, more = {}) => runCliHere(args, { cwd: sdk.home, ...more, env: { ...env, ...more.env } }),
    async serve(more = {}) {
      const served = await startServeHere({ env: { ...env, ...more }, cwd: sdk.home })
      servingHere.push(served)
      return served
    },
    async serveApart(more = {}) {
      const served = await startServe({ env: { ...env, ...more }, cwd: sdk.home, longestMs: 120_000 })
      serving.push(served)
      if (served.url === '') throw new Error(`svc serve did not start: ${JSON.stringify(await served.running.ended)}`)
      return served
    },
    alive: tool => [...new Set(sdk.calls(tool).map(({ pid }) => pid))].filter(isAlive),
    shell: async (serial, line) => (await adb.run('-s', serial, 'shell', line)).stdout,
    async close() {
      const all = [...running, ...serving.map(served => served.running)]
      for (const { child } of all) child.kill('SIGKILL')
      await Promise.all([...all.map(({ ended }) => ended), ...servingHere.map(({ end }) => end())])
      await sdk.remove()
      await adb.stop()
    },
  }
}

/** The modes of a lab, laid over what it had. */
export const modesOf = (lab: EmulatorLab, modes: SdkModes) => lab.sdk.setModes(modes)

const ALL = '/android/emulators'

/** The routes, asked as a program would. */
export const routesOf = (url: string) => {
  const post = (path: string, body?: unknown) =>
    call(`${url}${path}`, body === undefined ? { method: 'POST' } : { body })
  return {
    list: () => call(`${url}${ALL}`),
    running: () => call(`${url}${ALL}/running`),
    get: (name: string) => call(`${url}${ALL}/${name}`),
    create: (body?: unknown) => post(`${ALL}/create`, body),
    start: (name: string, body?: unknown) => post(`${ALL}/${name}/start`, body),
    stop: (name: string) => post(`${ALL}/${name}/stop`),
    delete: (name: string) => call(`${url}${ALL}/${name}`, { method: 'DELETE' }),
    provision: (body?: unknown) => post('/android/provision/emulator', body),
    history: (actor: string) => call(`${url}/actors/${encodeURIComponent(actor)}/history?limit=1000`),
    actor: (actor: string) => call(`${url}/actors/${encodeURIComponent(actor)}`),
  }
}
export type Routes = ReturnType<typeof routesOf>

export interface Failure {
  code: string
  message: string
  hint?: string
  details: Record<string, unknown>
}

export const failureIn = ({ json }: Answer): Failure => (json as { error: Failure }).error

/** Status and code, for a table of refusals. */
export const refusalIn = (answer: Answer): [number, string | undefined] => [answer.status, codeOf(answer)]

/** Waits until the actor is in a state that begins so. */
export const untilState = (routes: Pick<Routes, 'actor'>, avdName: string, state: string): Promise<void> =>
  until(
    async () => {
      const { json } = await routes.actor(`emulator:${avdName}`)
      return (json as { actor?: { state: string } }).actor?.state.startsWith(state) ?? false
    },
    `emulator:${avdName} to be in ${state}`,
    30_000,
  )
