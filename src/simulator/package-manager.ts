/** The packages of a simulated phone: those of the scenario, and those that are installed and removed. */
import { type Apk, readApk } from './apk.ts'
import { FilesError } from './files.ts'
import { createInstallSessions } from './install-sessions.ts'
import { installedApp } from './installed-app.ts'
import type { NextFaults } from './operator-app/fault-plan.ts'
import type { AppFacts, PhoneFiles } from './phone-parts.ts'
import type { ScenarioApp } from './scenario/app.ts'
import type { Packages } from './scenario-packages.ts'

export interface InstallFlags {
  /** Newer systems assume it. */
  replace: boolean
  downgrade: boolean
  testOnly: boolean
  /** The package whose other APKs stay as they are: only some are replaced, or added. */
  inherit?: string | undefined
}

interface PackageManagerOptions {
  packages: Packages
  /** The applications that can be opened: changed as packages come and go. */
  apps: ScenarioApp[]
  files: PhoneFiles
  sdk: number
  faults: NextFaults
  /** Its processes end, and its state is forgotten. */
  onGone(packageName: string): void
}

/** `split` is undefined for the base. */
export const apkPath = (packageName: string, split?: string): string =>
  `/data/app/${packageName}/${split === undefined ? 'base' : `split_${split}`}.apk`

/** After those of what is there from the beginning. */
const FIRST_UID = 11_000
/** The first Android that takes a downgrade for debuggable applications only. */
const GUARDED_DOWNGRADE_SDK = 29

/** The words for the codes that a person sees in the answer. */
const TEXTS: Readonly<Record<string, string>> = {
  INSTALL_FAILED_USER_RESTRICTED: 'Install canceled by user',
  INSTALL_FAILED_INSUFFICIENT_STORAGE: 'not enough space',
  INSTALL_FAILED_UPDATE_INCOMPATIBLE: 'signatures do not match newer version; ignoring!',
  INSTALL_FAILED_VERIFICATION_FAILURE: 'Install rejected by the package verifier',
}

interface Part {
  apk: Apk
  bytes: Uint8Array
}

interface Installed {
  base: Apk
  /** By the name of the split; the base is at undefined. */
  parts: ReadonlyMap<string | undefined, Part>
  uid: number
}

const inconsistent = (parts: readonly Part[]): string | undefined => {
  const [first, ...others] = parts
  for (const { apk } of others) {
    const what = apk.split === undefined ? 'Base' : `Split ${apk.split}`
    if (apk.packageName !== first?.apk.packageName)
      return `${what} package ${apk.packageName} inconsistent with ${first?.apk.packageName}`
    if (apk.versionCode !== first.apk.versionCode)
      return `${what} version code ${apk.versionCode} inconsistent with ${first.apk.versionCode}`
    if (apk.signer !== first.apk.signer) return `${what} signatures are inconsistent`
  }
  const names = parts.map(({ apk }) => apk.split ?? 'null')
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return `Split ${twice} was defined multiple times`
  return names.includes('null') ? undefined : 'Full install must include a base package'
}

export const createPackageManager = (options: PackageManagerOptions) => {
  const { packages, apps, files, sdk, faults, onGone } = options
  const installed = new Map<string, Installed>()
  const removed = new Set<string>()
  let uids = FIRST_UID

  const isBuiltIn = (name: string) => packages.names.includes(name) && !removed.has(name)

  const factsOf = ({ base, parts, uid }: Installed): AppFacts => ({
    ...{ versionCode: base.versionCode, versionName: base.versionName || 'null', minSdk: base.minSdk, uid },
    isDebuggable: base.debuggable,
    splits: [...parts.keys()].filter(split => split !== undefined).sort(),
    ...(base.launchActivity === undefined ? {} : { launchActivity: base.launchActivity }),
    permissions: [...new Set([...parts.values()].flatMap(({ apk }) => apk.permissions ?? []))].map(name => ({
      name,
      state: 'unset' as const,
    })),
  })

  const unsuitable = (
    { packageName, minSdk, testOnly, splitRequired, signer }: Apk,
    parts: number,
    flags: InstallFlags,
  ) => {
    if (signer === undefined)
      return `INSTALL_PARSE_FAILED_NO_CERTIFICATES: Failed to collect certificates from ${apkPath(packageName)}`
    if (minSdk > sdk)
      return `INSTALL_FAILED_OLDER_SDK: Requires newer sdk version #${minSdk} (current version is #${sdk})`
    if (testOnly && !flags.testOnly) return 'INSTALL_FAILED_TEST_ONLY: installPackageLI'
    if (splitRequired && parts < 2) return `INSTALL_FAILED_MISSING_SPLIT: Missing split for ${packageName}`
    return undefined
  }

  const unlikeTheEarlier = (apk: Apk, flags: InstallFlags): string | undefined => {
    const { packageName, versionCode, signer } = apk
    const earlier = installed.get(packageName)?.base
    if (isBuiltIn(packageName) || (earlier && earlier.signer !== signer))
      return `INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package ${packageName} signatures do not match previously installed version; ignoring!`
    if (!earlier) return undefined
    if (!flags.replace)
      return `INSTALL_FAILED_ALREADY_EXISTS: Attempt to re-install ${packageName} without first uninstalling.`
    const mayGoBack = flags.downgrade && (earlier.debuggable || sdk < GUARDED_DOWNGRADE_SDK)
    if (earlier.versionCode > versionCode && !mayGoBack)
      return `INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code ${versionCode} is older than current ${earlier.versionCode}`
    return undefined
  }

  const removeFiles = (name: string) => {
    for (const split of installed.get(name)?.parts.keys() ?? []) files.remove(apkPath(name, split))
    files.remove(`/data/app/${name}`)
  }

  /** The earlier files are there again where the new ones do not fit. */
  const writeFiles = (name: string, parts: ReadonlyMap<string | undefined, Part>): string | undefined => {
    removeFiles(name)
    try {
      for (const [split, { bytes }] of parts) files.write(apkPath(name, split), bytes, 0o644)
      return undefined
    } catch (error) {
      if (!(error instanceof FilesError)) throw error
      for (const split of parts.keys()) files.remove(apkPath(name, split))
      for (const [split, { bytes }] of installed.get(name)?.parts ?? []) files.write(apkPath(name, split), bytes, 0o644)
      return 'INSTALL_FAILED_INSUFFICIENT_STORAGE: no space left'
    }
  }

  const replaceApp = (name: string, app: ScenarioApp | undefined) => {
    const at = apps.findIndex(one => one.package === name)
    if (at >= 0) apps.splice(at, 1)
    if (app) apps.push(app)
  }

  const partsOf = (contents: readonly Uint8Array[], inherit: string | undefined): readonly Part[] | undefined => {
    const parts = contents.flatMap(bytes => {
      const apk = readApk(bytes)
      return apk ? [{ apk, bytes }] : []
    })
    if (parts.length < contents.length) return undefined
    const kept = inherit === undefined ? [] : [...(installed.get(inherit)?.parts.values() ?? [])]
    return [...kept.filter(({ apk }) => !parts.some(part => part.apk.split === apk.split)), ...parts]
  }

  /** Why it was not installed, as `CODE: text`; undefined when it was. */
  const install = (contents: readonly Uint8Array[], flags: InstallFlags): string | undefined => {
    const [fault] = faults()
    if (fault) {
      const code = fault.code ?? 'INSTALL_FAILED_USER_RESTRICTED'
      return `${code}: ${TEXTS[code] ?? 'refused by this device'}`
    }
    const parts = partsOf(contents, flags.inherit)
    if (!parts) return 'INSTALL_PARSE_FAILED_NOT_APK: Failed to parse the archive'
    const problem = inconsistent(parts)
    const base = parts.find(({ apk }) => apk.split === undefined)?.apk
    if (problem !== undefined || !base) return `INSTALL_FAILED_INVALID_APK: ${problem}`
    const refused = unsuitable(base, parts.length, flags) ?? unlikeTheEarlier(base, flags)
    if (refused !== undefined) return refused
    const name = base.packageName
    const bySplit = new Map(parts.map(part => [part.apk.split, part]))
    const full = writeFiles(name, bySplit)
    if (full !== undefined) return full
    const isNew = !installed.has(name)
    installed.set(name, { base, parts: bySplit, uid: installed.get(name)?.uid ?? uids++ })
    onGone(name)
    if (isNew || !packages.app(name)) replaceApp(name, packages.app(name) ?? installedApp(base))
    return undefined
  }

  return {
    names: (): readonly string[] => [...packages.names.filter(isBuiltIn), ...installed.keys()],
    /** Undefined for a package that is not installed. */
    facts(name: string): AppFacts | undefined {
      const found = installed.get(name)
      if (found) return factsOf(found)
      return isBuiltIn(name) ? packages.facts(name) : undefined
    },
    /** False for what is there from the beginning. */
    isInstalled: (name: string): boolean => installed.has(name),
    install,
    sessions: createInstallSessions({ files, install }),
    uninstall(name: string): string | undefined {
      const isRemovable = packages.app(name) !== undefined && packages.facts(name)?.isSystem !== true
      if (isBuiltIn(name) && !isRemovable) return 'DELETE_FAILED_INTERNAL_ERROR'
      if (isBuiltIn(name)) removed.add(name)
      else if (!installed.has(name)) return 'not installed for 0'
      removeFiles(name)
      installed.delete(name)
      onGone(name)
      replaceApp(name, undefined)
      return undefined
    },
  }
}
