/** The AVD home as the SDK keeps it: `<name>.ini` names the folder of an AVD, whose config.ini says what kind of device it is. */
import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import * as v from 'valibot'
import { AvdName, DEFAULT_DEVICE_PROFILE, type UnsupportedReason } from '../../contracts/device/avd.ts'
import { EMULATOR_API_LEVEL } from '../../contracts/limits/emulator-limits.ts'
import { isEmulatorOf } from './run-tool.ts'

/** Facts from the files of an AVD; null when the files do not tell. */
interface AvdFacts {
  apiLevel: number | null
  abi: string | null
  playStore: boolean | null
  deviceProfile: string | null
  systemImage: string | null
}

export const NO_FACTS: AvdFacts = { apiLevel: null, abi: null, playStore: null, deviceProfile: null, systemImage: null }

/** `abis` are those that this host runs. */
export const unsupportedReasons = (
  { apiLevel, abi, playStore, deviceProfile }: AvdFacts,
  abis: readonly string[],
): UnsupportedReason[] => [
  ...(playStore === true ? [] : (['missing_play_store'] as const)),
  ...(apiLevel === EMULATOR_API_LEVEL ? [] : (['unsupported_api_level'] as const)),
  ...(abi !== null && abis.includes(abi) ? [] : (['unsupported_abi'] as const)),
  ...(deviceProfile === DEFAULT_DEVICE_PROFILE ? [] : (['unsupported_device_profile'] as const)),
]

export const imageOf = ({ apiLevel, abi, playStore }: { apiLevel: number; abi: string; playStore: boolean }): string =>
  `system-images;android-${apiLevel};${playStore ? 'google_apis_playstore' : 'google_apis'};${abi}`

export const gigabytesOf = (storageSize: string): number => Number(/^\d+/.exec(storageSize)?.[0])

export const derivedName = (storageGb: number): string => `svc-pixel-${storageGb}gb`

/** The derived default name first, then by the alphabet. */
export const byPreference =
  (derived: string) =>
  (one: string, other: string): number => {
    if (one === derived || other === derived) return one === derived ? -1 : 1
    return one < other ? -1 : 1
  }

const INI_BYTES_MAX = 256 * 1_024
const CONFIG = 'config.ini'
const STORAGE_KEY = 'disk.dataPartition.size'

/** Undefined for what is missing, too large, or something else than a file: a pipe would never end. */
const textOf = (path: string): string | undefined => {
  try {
    const { size } = statSync(path)
    return statSync(path).isFile() && size <= INI_BYTES_MAX ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

const LINE = /^\s*([^=#;\s][^=]*?)\s*=\s*(.*?)\s*$/

const iniOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(/\r?\n/).flatMap(line => {
      const [, key, value] = LINE.exec(line) ?? []
      return key === undefined || value === undefined ? [] : [[key, value] as const]
    }),
  )

export const isAvdName = (name: string): boolean => v.is(AvdName, name)

const iniPath = (home: string, name: string) => join(home, `${name}.ini`)
/** avdmanager puts an AVD here unless told otherwise. */
export const ownFolder = (home: string, name: string) => join(home, `${name}.avd`)

export const avdNames = (home: string): string[] => {
  try {
    return readdirSync(home)
      .filter(file => file.endsWith('.ini'))
      .map(file => basename(file, '.ini'))
      .filter(isAvdName)
  } catch {
    return []
  }
}

export const hasAvdFiles = (home: string, name: string): boolean =>
  statSync(iniPath(home, name), { throwIfNoEntry: false }) !== undefined

const avdFolder = (home: string, name: string): string => {
  const ini = iniOf(textOf(iniPath(home, name)) ?? '')
  const path = ini.get('path')
  if (path && isAbsolute(path) && statSync(path, { throwIfNoEntry: false })) return path
  const relative = ini.get('path.rel')
  return relative ? resolve(dirname(home), relative) : ownFolder(home, name)
}

/** The folder of an AVD that is not in the AVD home, if there is one. */
export const folderElsewhere = (home: string, name: string): string | undefined => {
  try {
    const folder = realpathSync(avdFolder(home, name))
    return folder.startsWith(join(realpathSync(home), sep)) ? undefined : folder
  } catch {
    return undefined
  }
}

/** When it was registered, or its folder made, in epoch ms. */
export const createdAt = (home: string, name: string): number => {
  const ini = statSync(iniPath(home, name), { throwIfNoEntry: false })
  return ini?.mtimeMs ?? statSync(ownFolder(home, name), { throwIfNoEntry: false })?.birthtimeMs ?? 0
}

const isTrue = (value: string) => /^(?:true|yes|1)$/i.test(value)

/** `system-images/android-35/google_apis_playstore/x86_64/` */
const imageParts = (folder: string | undefined): string[] => {
  const parts = (folder ?? '').split(/[\\/]/).filter(part => part !== '')
  const at = parts.lastIndexOf('system-images')
  return at >= 0 && parts.length >= at + 4 ? parts.slice(at, at + 4) : []
}

const levelIn = (text: string | undefined): number | null => {
  const level = Number(/android-(\d+)/.exec(text ?? '')?.[1])
  return Number.isSafeInteger(level) && level > 0 ? level : null
}

const playStoreOf = (config: ReadonlyMap<string, string>, tag: string | undefined): boolean | null => {
  const setting = config.get('PlayStore.enabled')
  if (setting !== undefined) return isTrue(setting)
  const known = config.get('tag.id') ?? tag
  return known === undefined ? null : known === 'google_apis_playstore'
}

export const avdFacts = (home: string, name: string): AvdFacts => {
  const text = textOf(join(avdFolder(home, name), CONFIG))
  if (text === undefined) return NO_FACTS
  const config = iniOf(text)
  const target = iniOf(textOf(iniPath(home, name)) ?? '').get('target') ?? config.get('target')
  const image = imageParts(config.get('image.sysdir.1'))
  return {
    apiLevel: levelIn(image[1]) ?? levelIn(target),
    abi: config.get('abi.type') ?? image[3] ?? null,
    playStore: playStoreOf(config, image[2]),
    deviceProfile: config.get('hw.device.name') ?? null,
    systemImage: image.length > 0 ? image.join(';') : null,
  }
}

/** Throws what the file system says. */
export const setStorage = (home: string, name: string, gigabytes: number): void => {
  const path = join(avdFolder(home, name), CONFIG)
  // One character a byte: every other line stays as it is.
  const lines = readFileSync(path, 'latin1').split(/(?<=\n)/)
  const kept = lines.filter(line => LINE.exec(line)?.[1] !== STORAGE_KEY).join('')
  const end = kept === '' || kept.endsWith('\n') ? '' : '\n'
  const draft = `${path}.svc`
  writeFileSync(draft, `${kept}${end}${STORAGE_KEY}=${gigabytes}G\n`, 'latin1')
  renameSync(draft, path)
}

/** Removes what is there of an AVD: its ini and its own folder, wherever else the ini may point. */
export const removeAvdFiles = (home: string, name: string): void => {
  rmSync(ownFolder(home, name), { recursive: true, force: true })
  rmSync(iniPath(home, name), { force: true })
}

/** True when files of an AVD are left, even if its ini is gone. */
export const hasAvdLeftovers = (home: string, name: string): boolean =>
  hasAvdFiles(home, name) || statSync(ownFolder(home, name), { throwIfNoEntry: false }) !== undefined

const LOCKS = ['hardware-qemu.ini.lock', join('hardware-qemu.ini.lock', 'pid')]

/** The process that runs the AVD by its lock, if that process is its emulator. */
export const lockedBy = (home: string, name: string): number | undefined => {
  const folder = avdFolder(home, name)
  const pid = LOCKS.map(lock => Number(textOf(join(folder, lock))?.trim() || Number.NaN)).find(Number.isSafeInteger)
  return pid !== undefined && pid > 1 && isEmulatorOf(pid, name) ? pid : undefined
}
