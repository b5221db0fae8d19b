/** Decides which AVDs are supported and why others are not; picks the image and the default name of a new one. */
import { DEFAULT_DEVICE_PROFILE, type UnsupportedReason } from '../contracts/avd.ts'
import { EMULATOR_API_LEVEL } from '../contracts/emulator-limits.ts'

/** Facts from the files of an AVD; null when the files do not tell. */
export interface AvdFacts {
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
