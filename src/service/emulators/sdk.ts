/** Finds the tools of the Android SDK and the folder of its AVDs, by the variables that the tools honour themselves. */
import { readdirSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { EmulatorLimits } from '../../contracts/events/emulator.ts'
import { findAdb } from '../../device/link/adb-program.ts'
import type { Link } from '../../device/link/link.ts'
import type { Links } from '../../device/link/links.ts'
import type { Clock } from '../../runtime/clock.ts'
import { userHome } from '../../runtime/home.ts'
import type { Host } from '../../runtime/host.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { isProgram } from '../../runtime/processes/find-program.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const SDK_TOOLS = ['adb', 'emulator', 'avdmanager', 'sdkmanager'] as const
export type SdkTool = (typeof SDK_TOOLS)[number]

const VARIABLES: Readonly<Record<Exclude<SdkTool, 'adb'>, string>> = {
  emulator: 'EMULATOR_PATH',
  avdmanager: 'AVDMANAGER_PATH',
  sdkmanager: 'SDKMANAGER_PATH',
}

const entriesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort().reverse()
  } catch {
    return []
  }
}

/** `latest` is what the SDK's own documentation installs; others are named by their version. */
const commandLineFolders = (sdk: string): string[] => {
  const root = join(sdk, 'cmdline-tools')
  const versions = entriesOf(root).filter(name => name !== 'latest')
  return [...['latest', ...versions].map(name => join(root, name, 'bin')), join(sdk, 'tools', 'bin')]
}

export const sdkRoots = (env: Environment): string[] =>
  [env.ANDROID_HOME, env.ANDROID_SDK_ROOT].filter((root): root is string => Boolean(root))

/** A path that is given explicitly counts alone: another program would be a surprise. */
export const findTool = (tool: SdkTool, env: Environment): string | undefined => {
  if (tool === 'adb') return findAdb(env)
  const named = env[VARIABLES[tool]]
  if (named) return isProgram(named) ? named : undefined
  const inSdk = (sdk: string) => (tool === 'emulator' ? [join(sdk, 'emulator')] : commandLineFolders(sdk))
  const onPath = (env.PATH ?? '').split(delimiter).filter(isAbsolute)
  return [...sdkRoots(env).flatMap(inSdk), ...onPath].map(folder => join(folder, tool)).find(isProgram)
}

export const missingTools = (tools: readonly SdkTool[], env: Environment): SdkTool[] =>
  tools.filter(tool => findTool(tool, env) === undefined)

export const avdHome = (env: Environment): string => {
  if (env.ANDROID_AVD_HOME) return env.ANDROID_AVD_HOME
  const user = env.ANDROID_USER_HOME || env.ANDROID_EMULATOR_HOME
  if (user) return join(user, 'avd')
  return join(env.ANDROID_SDK_HOME || userHome(env), '.android', 'avd')
}

export interface EmulatorDeps {
  links: () => Links
  env: Environment
  /** The CPU of this host, as Node names it. */
  arch: string
  clock: Clock
  /** `~/.svc/emulators`, where the logs of emulators go. */
  folder: string
  /** Does something to a device as its owner, unless somebody else has it. Rejects with LinkError or JournalError. */
  owned(link: Link, work: () => Promise<void>): Promise<'done' | 'busy' | 'reserved'>
}

export interface EmulatorServiceDeps extends EmulatorDeps {
  host: Host
  journal: Pick<Journal, 'last' | 'records' | 'checkpoint' | 'leases' | 'actors'>
  ids: Ids
  limits: EmulatorLimits
}
