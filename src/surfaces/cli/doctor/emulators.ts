/** `svc doctor` on what emulators need: the tools of the SDK, KVM, an ABI that this host runs, disk, licences. */
import { accessSync, constants, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EMULATOR_DISK_BYTES } from '../../../contracts/limits/emulator-limits.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { type Check, failed, fine, warning } from '../../../service/doctor/check.ts'
import { avdFacts, avdNames } from '../../../service/emulators/avd-files.ts'
import { defaultAbi, hostAbis } from '../../../service/emulators/host-abis.ts'
import { avdHome, findTool, missingTools, SDK_TOOLS, type SdkTool, sdkRoots } from '../../../service/emulators/sdk.ts'
import type { Environment } from '../command.ts'
import { existing } from './host.ts'

export interface EmulatorHost {
  env: Environment
  platform: string
  arch: string
  /** `/dev/kvm` */
  kvm: string
}

type Judge = typeof warning

const GET: Readonly<Record<SdkTool, string>> = {
  adb: 'sdkmanager --install platform-tools',
  emulator: 'sdkmanager --install emulator',
  avdmanager: "sdkmanager --install 'cmdline-tools;latest'",
  sdkmanager: 'Install the Android command-line tools, and set ANDROID_HOME to the SDK.',
}

const checkTools = ({ env }: EmulatorHost, judge: Judge): Check => {
  const details = Object.fromEntries(SDK_TOOLS.map(tool => [tool, findTool(tool, env) ?? null]))
  const missing = missingTools(SDK_TOOLS, env)
  if (missing.length === 0)
    return fine('android-sdk', `adb, emulator, avdmanager and sdkmanager were found`, { details })
  const first = missing.includes('sdkmanager') ? 'sdkmanager' : missing[0]
  return judge('android-sdk', `not found: ${missing.join(', ')}`, {
    details,
    ...(first === undefined ? {} : { hint: GET[first] }),
  })
}

const checkAcceleration = ({ platform, kvm }: EmulatorHost, judge: Judge): Check => {
  if (platform !== 'linux') return fine('acceleration', 'the hypervisor of this system is used')
  try {
    accessSync(kvm, constants.R_OK | constants.W_OK)
    return fine('acceleration', `${kvm} can be used`)
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code !== 'ENOENT'
    return isThere
      ? judge('acceleration', `${kvm} cannot be opened by this user`, {
          hint: 'sudo usermod -aG kvm "$USER", then log in again',
        })
      : judge('acceleration', `${kvm} does not exist: emulators do not start, or take very long to boot`, {
          hint: 'Switch on virtualization in the firmware (or nested virtualization of the VM), then: sudo modprobe kvm',
        })
  }
}

const checkAbi = ({ env, arch }: EmulatorHost, judge: Judge): Check => {
  const abis = hostAbis({ env, arch })
  const [hostAbi] = abis
  const home = avdHome(env)
  const avds = avdNames(home).map(name => ({ name, abi: avdFacts(home, name).abi }))
  const foreign = avds.filter(({ abi }) => abi !== null && !abis.includes(abi))
  const details = { host: hostAbi, avds: Object.fromEntries(avds.map(({ name, abi }) => [name, abi])) }
  if (avds.length > 0 && foreign.length === 0)
    return fine('abi', `the AVDs have an ABI that this host runs (${hostAbi})`, { details })
  if (foreign.length > 0) {
    const names = foreign.map(({ name, abi }) => `${name} (${abi})`).join(', ')
    const message = `this host runs ${hostAbi}, but not ${names}`
    const hint = `svc emulators create ${hostAbi.replaceAll('_', '-')}-phone --abi ${hostAbi}`
    // One that fits is enough to work with.
    return (foreign.length === avds.length ? judge : warning)('abi', message, { details, hint })
  }
  return fine('abi', `this host runs ${hostAbi}; new AVDs have ${defaultAbi(abis)}`, { details })
}

const gibibytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`

const checkDisk = ({ env }: EmulatorHost, judge: Judge): Check => {
  const folders = [...sdkRoots(env).slice(0, 1), avdHome(env)]
  try {
    const free = folders.map(folder => {
      const { bavail, bsize } = statfsSync(existing(folder))
      return { folder, bytes: bavail * bsize }
    })
    const [least] = [...free].sort((one, other) => one.bytes - other.bytes)
    const details = Object.fromEntries(free.map(({ folder, bytes }) => [folder, bytes]))
    if (!least || least.bytes >= EMULATOR_DISK_BYTES)
      return fine('emulator-disk', `${gibibytes(least?.bytes ?? 0)} are free for images and AVDs`, { details })
    return judge('emulator-disk', `the disk of ${least.folder} has ${gibibytes(least.bytes)} left`, {
      details,
      hint: `Free ${gibibytes(EMULATOR_DISK_BYTES)} there, for example: svc emulators delete <name>`,
    })
  } catch (error) {
    return judge('emulator-disk', `the free disk space cannot be read: ${messageOf(error)}`)
  }
}

/** `<sdk>/cmdline-tools/latest/bin/sdkmanager` */
const rootOf = (env: Environment): string | undefined => {
  const [named] = sdkRoots(env)
  const tool = findTool('sdkmanager', env)
  return named ?? (tool === undefined ? undefined : dirname(dirname(dirname(dirname(tool)))))
}

const checkLicences = ({ env }: EmulatorHost, judge: Judge): Check => {
  const folder = join(rootOf(env) ?? '', 'licenses')
  const hint = 'yes | sdkmanager --licenses'
  try {
    const isAccepted = readdirSync(folder).includes('android-sdk-license')
    const hash = isAccepted ? readFileSync(join(folder, 'android-sdk-license'), 'utf8').trim() : ''
    if (hash !== '') return fine('licences', `the licence of the SDK is accepted (${folder})`)
  } catch {
    // It is created when the first licence is accepted.
  }
  return judge(
    'licences',
    'the licence of the SDK is not accepted yet; svc emulators create accepts those of its image',
    {
      hint,
    },
  )
}

/**
 * Nothing is needed where nobody has set up an SDK. What is wrong fails once there are AVDs to run, or when `isAsked`; until then
 * it is a warning.
 */
export const checkEmulators = (host: EmulatorHost, isAsked: boolean): Check[] => {
  const { env } = host
  const hasAvds = avdNames(avdHome(env)).length > 0
  const hasSdk = sdkRoots(env).length > 0 || missingTools(['emulator', 'avdmanager', 'sdkmanager'], env).length < 3
  if (!isAsked && !hasAvds && !hasSdk) {
    return [
      fine('emulators', 'not set up: no Android SDK was found', {
        hint: 'See what is needed: svc doctor --emulators',
      }),
    ]
  }
  const judge = isAsked || hasAvds ? failed : warning
  return [
    checkTools(host, judge),
    checkAcceleration(host, judge),
    checkAbi(host, judge),
    checkDisk(host, judge),
    checkLicences(host, isAsked ? judge : warning),
  ]
}
