/** What is installed on a simulated phone. */
import { DEFAULT_OPERATOR_PACKAGE } from '../contracts/operator.ts'
import type { AppFacts } from './phone-parts.ts'
import type { Scenario } from './scenario/scenario.ts'

export interface Packages {
  names: readonly string[]
  /** Undefined for a package that is not installed. */
  facts(packageName: string): AppFacts | undefined
}

const SYSTEM_PACKAGES = ['android', 'com.android.systemui']

export const packagesOf = ({ apps, device: { operator } }: Scenario): Packages => {
  const own = operator.ways === 'none' ? [] : [DEFAULT_OPERATOR_PACKAGE]
  const names = [...SYSTEM_PACKAGES, ...apps.map(app => app.package), ...own]
  return {
    names,
    facts(packageName) {
      const app = apps.find(one => one.package === packageName)
      const activity = app?.screens.get(app.start)?.activity
      if (app) {
        const { versionName, versionCode } = app
        return { versionName, versionCode, ...(activity === undefined ? {} : { launchActivity: activity }) }
      }
      if (!names.includes(packageName)) return undefined
      return packageName === DEFAULT_OPERATOR_PACKAGE ? { versionName: operator.version, versionCode: 1 } : {}
    },
  }
}
