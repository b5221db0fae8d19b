/** The packages of a simulated phone: those of the scenario, and those that are installed and removed. */
import { DEFAULT_OPERATOR_PACKAGE } from '../contracts/literals.ts'
import { readApk } from './apk.ts'
import { FilesError } from './files.ts'
import type { NextFaults } from './operator-app/fault-plan.ts'
import type { AppFacts, PhoneFiles } from './phone-parts.ts'
import type { Scenario } from './scenario/scenario.ts'

const ANDROID = 'android'
const SYSTEM_PACKAGES = [ANDROID, 'com.android.systemui']
const SYSTEM_UID = 1_000
const FIRST_PHONE_UID = 10_100
/** The publishers whose packages come with a phone. */
const MAKERS = /^com\.(?:android|google\.android)\./

export const packagesOf = ({ apps, home, device: { operator } }: Scenario) => {
  const own = operator.ways === 'none' ? [] : [DEFAULT_OPERATOR_PACKAGE]
  const names = [...SYSTEM_PACKAGES, ...apps.map(app => app.package), ...own]
  const versionOf = (packageName: string): AppFacts => {
    const app = apps.find(one => one.package === packageName)
    const activity = app?.screens.get(app.start)?.activity
    if (app) {
      const { versionName, versionCode, permissions } = app
      return { versionName, versionCode, permissions, ...(activity === undefined ? {} : { launchActivity: activity }) }
    }
    return packageName === DEFAULT_OPERATOR_PACKAGE ? { versionName: operator.version, versionCode: 1 } : {}
  }
  return {
    names,
    /** Undefined for a package that is not installed. */
    facts(packageName: string): AppFacts | undefined {
      const at = names.indexOf(packageName)
      if (at < 0) return undefined
      const isHome = packageName === home.package
      return {
        ...versionOf(packageName),
        uid: packageName === ANDROID ? SYSTEM_UID : FIRST_PHONE_UID + at,
        isHome,
        isSystem: isHome || packageName === ANDROID || MAKERS.test(packageName),
      }
    },
  }
}

export type Packages = ReturnType<typeof packagesOf>

interface InstallOptions {
  /** `-r`, which newer systems assume. */
  replace: boolean
  /** `-d` */
  downgrade: boolean
}

interface PackageManagerOptions {
  /** The packages that are there from the beginning, and stay. */
  packages: Packages
  files: PhoneFiles
  sdk: number
  faults: NextFaults
  /** Its processes end. */
  onGone(packageName: string): void
}

export const apkPath = (packageName: string): string => `/data/app/${packageName}/base.apk`

/** After those of what is there from the beginning. */
const FIRST_UID = 11_000

/** The words for the codes that a person sees in the answer. */
const TEXTS: Readonly<Record<string, string>> = {
  INSTALL_FAILED_USER_RESTRICTED: 'Install canceled by user',
  INSTALL_FAILED_INSUFFICIENT_STORAGE: 'not enough space',
  INSTALL_FAILED_UPDATE_INCOMPATIBLE: 'signatures do not match newer version; ignoring!',
  INSTALL_FAILED_VERIFICATION_FAILURE: 'Install rejected by the package verifier',
}

export const createPackageManager = (options: PackageManagerOptions) => {
  const { packages, files, sdk, faults, onGone } = options
  const installed = new Map<string, AppFacts & { uid: number }>()
  let uids = FIRST_UID

  const keep = (path: string, apk: Uint8Array): string | undefined => {
    try {
      files.write(path, apk, 0o644)
      return undefined
    } catch (error) {
      if (error instanceof FilesError) return 'INSTALL_FAILED_INSUFFICIENT_STORAGE: no space left'
      throw error
    }
  }

  return {
    names: (): readonly string[] => [...packages.names, ...installed.keys()],
    /** Undefined for a package that is not installed. */
    facts: (name: string): AppFacts | undefined => installed.get(name) ?? packages.facts(name),
    /** Why it was not installed, as `CODE: text`; undefined when it was. */
    install(apk: Uint8Array, { replace, downgrade }: InstallOptions): string | undefined {
      const [fault] = faults()
      if (fault) {
        const code = fault.code ?? 'INSTALL_FAILED_USER_RESTRICTED'
        return `${code}: ${TEXTS[code] ?? 'refused by this device'}`
      }
      const facts = readApk(apk)
      if (!facts) return 'INSTALL_PARSE_FAILED_NOT_APK: Failed to parse the archive'
      const { packageName, versionCode, versionName, minSdk } = facts
      if (packages.names.includes(packageName)) {
        return `INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package ${packageName} signatures do not match previously installed version`
      }
      if (minSdk > sdk) {
        return `INSTALL_FAILED_OLDER_SDK: Requires newer sdk version #${minSdk} (current version is #${sdk})`
      }
      const earlier = installed.get(packageName)
      if (earlier && !replace) return `INSTALL_FAILED_ALREADY_EXISTS: Attempt to re-install ${packageName}`
      if ((earlier?.versionCode ?? 0) > versionCode && !downgrade) {
        return `INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code ${versionCode} is older than current ${earlier?.versionCode}`
      }
      const full = keep(apkPath(packageName), apk)
      if (full !== undefined) return full
      onGone(packageName)
      installed.set(packageName, { versionCode, versionName, uid: earlier?.uid ?? uids++ })
      return undefined
    },
    uninstall(packageName: string): string | undefined {
      if (packages.names.includes(packageName)) return 'DELETE_FAILED_INTERNAL_ERROR'
      if (!installed.delete(packageName)) return 'not installed for 0'
      files.remove(apkPath(packageName))
      onGone(packageName)
      return undefined
    },
  }
}
