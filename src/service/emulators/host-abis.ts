/** Finds the ABIs that this host's emulators run, the ABI of a new AVD, and the explanation for an AVD with another. */
import { readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DEFAULT_ABI } from '../../contracts/device/avd.ts'
import { avdFacts } from './avd-files.ts'
import { avdHome, type EmulatorDeps, findTool } from './sdk.ts'

type HostFacts = Pick<EmulatorDeps, 'env' | 'arch'>

/** By the name that Node has for a CPU; the first ABI is its own. */
const ABIS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  x64: ['x86_64', 'x86'],
  arm64: ['arm64-v8a'],
  ia32: ['x86'],
  arm: ['armeabi-v7a'],
}

const ENGINES: readonly (readonly [RegExp, string])[] = [
  [/-x86_64$/, 'x64'],
  [/-aarch64$/, 'arm64'],
]

/** The SDK's emulator names the host it was built for by a folder: `qemu/darwin-aarch64`, also beside an x64 Node under Rosetta. */
const emulatorArch = (env: HostFacts['env']): string | undefined => {
  try {
    const folder = join(dirname(realpathSync(findTool('emulator', env) ?? '')), 'qemu')
    const names = readdirSync(folder)
    const archs = ENGINES.filter(([engine]) => names.some(name => engine.test(name))).map(([, arch]) => arch)
    return archs.length === 1 ? archs[0] : undefined
  } catch {
    return undefined
  }
}

/** The emulator runs images of its own CPU alone; without its word the CPU of this process counts. The first is preferred. */
export const hostAbis = ({ env, arch }: HostFacts): readonly [string, ...string[]] => {
  const cpu = emulatorArch(env) ?? arch
  return ABIS[cpu] ?? [cpu]
}

/** The documented default where this host runs it, else the ABI of the host. */
export const defaultAbi = (abis: readonly [string, ...string[]]): string =>
  abis.includes(DEFAULT_ABI) ? DEFAULT_ABI : abis[0]

/** Explains an ABI other than the documented one to a caller who named none. */
export const abiNote = (abis: readonly [string, ...string[]]): { note?: string } =>
  abis.includes(DEFAULT_ABI)
    ? {}
    : { note: `This host does not run ${DEFAULT_ABI}; the new AVD has the ABI ${abis[0]}.` }

/** Matches the SDK emulator: `Avd's CPU Architecture 'arm64' is not supported by the QEMU2 emulator on x86_64 host.` */
const REFUSED = /CPU Architecture '[^']*' is not supported(?:.* on (x86_64|aarch64) host)?/i

/** Why an emulator cannot come up here; undefined when the ABI of its AVD is not the reason. */
export const abiProblem = (avdName: string, output: string, deps: HostFacts) => {
  const abis = hostAbis(deps)
  const { abi } = avdFacts(avdHome(deps.env), avdName)
  const refused = REFUSED.exec(output)
  if ((abi === null || abis.includes(abi)) && !refused) return undefined
  const arch = ENGINES.find(([engine]) => engine.test(`-${refused?.[1]}`))?.[1]
  const [hostAbi] = ABIS[arch ?? ''] ?? abis
  return {
    said: `its ABI ${abi ?? '(unknown)'} does not run on this host, whose own is ${hostAbi}`,
    details: {
      abi,
      hostAbi,
      hint: `Make an AVD for this host: \`POST /android/emulators/create with abi ${hostAbi}\`, or \`POST /android/provision/emulator\`.`,
    },
  }
}
