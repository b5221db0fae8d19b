/** A simulated Android SDK in a folder, with real executables in it: see test/fixtures/sdk. */
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { folderOf, iniOf, type NewAvd, writeAvd } from '../../fixtures/sdk/avds.ts'
import { readCalls, type SdkCall, type ToolName } from '../../fixtures/sdk/call-log.ts'
import { runningFolder } from '../../fixtures/sdk/emulator/discovery.ts'
import { parseIni } from '../../fixtures/sdk/ini.ts'
import { type SdkModes, writeModes } from '../../fixtures/sdk/modes.ts'
import { acceptLicense, findImage, findPackage, install } from '../../fixtures/sdk/packages.ts'
import { PROFILES } from '../../fixtures/sdk/profiles.ts'
import { programOnPath } from '../needs.ts'
import { programPath } from '../run-program.ts'

export interface SdkOptions {
  /** A folder that need not exist; removing it ends whatever still runs of this SDK. */
  root: string
  /** HOME of the tools: `home` below the root when left out. */
  home?: string
  /** Packages such as `system-images;android-35;google_apis;x86_64`, beside the tools themselves. */
  installed?: readonly string[]
  license?: 'accepted' | 'missing'
  modes?: SdkModes
  /** The real adb to link, `null` for none; the one on the PATH when left out. */
  adb?: string | null
  /** The socket of the adb server that its `env` names; none that exists when left out, so that nothing reaches the user's own. */
  adbServer?: string
  /** The first console port; left out, one below those that the system hands out and that no other SDK has. */
  basePort?: number
}

export type AvdHarm =
  | 'no-config'
  | 'no-folder'
  | 'no-path'
  | 'unreadable'
  | 'binary-config'
  | 'binary-ini'
  | 'no-image'
  | 'empty-config'
  | 'unknown-device'

export interface Running {
  pid: number
  avdName: string
  serial: string
  adbPort: number
}

export interface AndroidSdk {
  root: string
  home: string
  avdHome: string
  basePort: number
  /** Where each executable is. */
  paths: Readonly<Record<ToolName | 'adb', string>>
  /** HOME, ANDROID_HOME, the adb server, and what keeps a tool away from what belongs to the user. */
  env: Readonly<Record<string, string>>
  /** Every start of a tool until now. */
  calls(tool?: ToolName): SdkCall[]
  /** In place of what was set before; a tool that runs keeps what it read. */
  setModes(modes: SdkModes): void
  install(...packages: string[]): void
  /** An AVD as avdmanager writes it, without running that. */
  addAvd(avd: { name: string; image: string; device?: string; dataBytes?: string }): void
  breakAvd(name: string, harm: AvdHarm): void
  /** By the files that emulators write; also of one that was killed. */
  advertised(): Running[]
  /** Kills every tool of this SDK that still runs, and waits until it is gone. */
  endAll(): Promise<void>
  /** The same, and nothing is left of it. */
  remove(): Promise<void>
}

const FIRST_BASE = 10_000
const BASES = 190
/** As many ports as one SDK has for its emulators. */
const BASE_STEP = 50
/** The same for all checkouts, wherever each has its temporary files. */
const RESERVATIONS = '/tmp/svc-sdk-ports'

/** Ports that no other SDK has, of whichever process: a file by its first port names the root that has it while it exists. */
const reserveBase = (root: string): number => {
  mkdirSync(RESERVATIONS, { recursive: true })
  const draft = join(RESERVATIONS, `draft-${process.pid}`)
  writeFileSync(draft, root)
  const first = Math.floor(Math.random() * BASES)
  for (let at = 0; at < BASES; at += 1) {
    const base = FIRST_BASE + BASE_STEP * ((first + at) % BASES)
    const file = join(RESERVATIONS, String(base))
    if (existsSync(file) && !existsSync(readFileSync(file, 'utf8'))) rmSync(file, { force: true })
    try {
      // It appears with its text.
      linkSync(draft, file)
      unlinkSync(draft)
      return base
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  throw new Error(`all ${BASES} ranges of ports in ${RESERVATIONS} belong to simulated SDKs that exist`)
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const writeTool = (path: string, tool: ToolName, root: string) => {
  mkdirSync(join(path, '..'), { recursive: true })
  const words = [process.execPath, programPath('android-sdk'), tool, root].map(quoted).join(' ')
  writeFileSync(path, `#!/bin/sh\nunset NODE_OPTIONS NODE_EXTRA_CA_CERTS\nexec ${words} "$@"\n`)
  chmodSync(path, 0o755)
}

/** Emulators come and go while the folder is read. */
const readIfThere = (path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

const GARBAGE = Buffer.from([0, 255, 254, 61, 0, 10, 7, 200, 13, 10, 0, 1])

/** Runs in this SDK, and is not another process that has got the same number. */
const isOurs = (pid: number, root: string): boolean => {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return words.includes(root) && words.some(word => word.endsWith('android-sdk.js'))
  } catch {
    return false
  }
}

export const createSdk = (options: SdkOptions): AndroidSdk => {
  const { root, home = join(root, 'home'), installed = [], license = 'accepted' } = options
  mkdirSync(root, { recursive: true })
  const { basePort = reserveBase(root) } = options
  const avdHome = join(home, '.android', 'avd')
  const paths = {
    sdkmanager: join(root, 'cmdline-tools', 'latest', 'bin', 'sdkmanager'),
    avdmanager: join(root, 'cmdline-tools', 'latest', 'bin', 'avdmanager'),
    emulator: join(root, 'emulator', 'emulator'),
    adb: join(root, 'platform-tools', 'adb'),
  }
  for (const tool of ['sdkmanager', 'avdmanager', 'emulator'] as const) writeTool(paths[tool], tool, root)
  for (const folder of [avdHome, join(home, 'run'), join(root, 'licenses')]) mkdirSync(folder, { recursive: true })
  const installAll = (packages: readonly string[]) => {
    for (const path of packages) {
      const item = findPackage(path)
      if (!item) throw new TypeError(`the simulated SDK knows no package ${path}`)
      install(root, item)
    }
  }
  installAll(['cmdline-tools;latest', 'emulator', 'platform-tools', ...installed])
  const adb = options.adb === undefined ? programOnPath('adb') : options.adb
  if (adb) symlinkSync(adb, paths.adb)
  if (license === 'accepted') acceptLicense(root)

  const setModes = (modes: SdkModes) => writeModes(root, { ...modes, emulator: { basePort, ...modes.emulator } })
  setModes(options.modes ?? {})

  const runtime = join(home, 'run')
  const env = {
    HOME: home,
    ANDROID_HOME: root,
    ADB_SERVER_SOCKET: `localfilesystem:${options.adbServer ?? join(root, 'no-adb-server', 'socket')}`,
    ADB_LOCAL_TRANSPORT_MAX_PORT: '5553',
    ADB_EMU: '0',
    ADB_MDNS: '0',
    XDG_RUNTIME_DIR: runtime,
    TMPDIR: runtime,
    PATH: process.env.PATH ?? '',
  }
  const running = runningFolder(env)
  const endAll = async () => {
    const pids = [...new Set(readCalls(root).map(({ pid }) => pid))]
    for (let left = pids; left.length > 0; ) {
      left = left.filter(pid => isOurs(pid, root))
      for (const pid of left) process.kill(pid, 'SIGKILL')
      await new Promise(resolve => setTimeout(resolve, left.length > 0 ? 10 : 0))
    }
  }

  return {
    root,
    home,
    avdHome,
    basePort,
    paths,
    env,
    calls: tool => readCalls(root).filter(call => tool === undefined || call.tool === tool),
    setModes,
    install: (...packages) => installAll(packages),
    addAvd({ name, image: path, device = 'pixel_7', dataBytes }) {
      const image = findImage(path)
      const profile = PROFILES.find(one => one.id === device)
      if (!image || !profile) throw new TypeError(`the simulated SDK knows no image ${path} or no device ${device}`)
      const avd: NewAvd = { home: avdHome, name, image, profile, ...(dataBytes === undefined ? {} : { dataBytes }) }
      writeAvd(avd)
    },
    breakAvd(name, harm) {
      const [folder, ini] = [folderOf({ home: avdHome, name }), iniOf({ home: avdHome, name })]
      const config = join(folder, 'config.ini')
      const replace = (pattern: RegExp, by: string) =>
        writeFileSync(config, readFileSync(config, 'utf8').replace(pattern, by))
      const harms: Readonly<Record<AvdHarm, () => void>> = {
        'no-config': () => rmSync(config),
        'no-folder': () => rmSync(folder, { recursive: true }),
        'no-path': () => writeFileSync(ini, 'avd.ini.encoding=UTF-8\ntarget=android-35\n'),
        // Also for a user who may read everything.
        unreadable: () => {
          rmSync(config)
          mkdirSync(config)
        },
        'binary-config': () => writeFileSync(config, GARBAGE),
        'binary-ini': () => writeFileSync(ini, GARBAGE),
        'no-image': () => replace(/^image\.sysdir\.1=.*$/m, 'image.sysdir.1=system-images/android-99/default/x86_64/'),
        'empty-config': () => writeFileSync(config, ''),
        'unknown-device': () => replace(/^hw\.device\.name=.*$/m, 'hw.device.name=gone_phone'),
      }
      harms[harm]()
    },
    advertised: () =>
      (existsSync(running) ? readdirSync(running) : []).flatMap(file => {
        const pid = Number(/^pid_(\d+)\.ini$/.exec(file)?.[1])
        if (!pid) return []
        const facts = parseIni(readIfThere(join(running, file)))
        if (!facts?.['port.serial']) return []
        const { 'port.serial': port, 'port.adb': adbPort, 'avd.id': avdName = '' } = facts
        return [{ pid, avdName, serial: `emulator-${port}`, adbPort: Number(adbPort) }]
      }),
    endAll,
    async remove() {
      await endAll()
      rmSync(root, { recursive: true, force: true })
      if (options.basePort === undefined) rmSync(join(RESERVATIONS, String(basePort)), { force: true })
    },
  }
}
