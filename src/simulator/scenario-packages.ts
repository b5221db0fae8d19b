/** The packages that are on a simulated phone from the beginning. */
import { DEFAULT_OPERATOR_PACKAGE } from '../contracts/json/literals.ts'
import type { AppFacts } from './phone-parts.ts'
import type { Scenario } from './scenario/scenario.ts'

const ANDROID = 'android'
const SYSTEM_PACKAGES = [ANDROID, 'com.android.systemui']
const SYSTEM_UID = 1_000
const FIRST_PHONE_UID = 10_100
/** The publishers whose packages come with a phone. */
const MAKERS = /^com\.(?:android|google\.android)\./

export const packagesOf = ({ apps, home, device: { operator } }: Scenario) => {
  const operatorPackages = operator.ways === 'none' ? [] : [DEFAULT_OPERATOR_PACKAGE]
  const names = [...SYSTEM_PACKAGES, ...apps.map(app => app.package), ...operatorPackages]
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
    /** The screens of one, as the scenario has them. */
    app: (packageName: string) => apps.find(app => app.package === packageName),
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
