/** The screen of an application that was installed from APKs: its code does not run here, so it shows its name. */
import * as v from 'valibot'
import type { Apk } from './apk.ts'
import { App, type ScenarioApp } from './scenario/app.ts'
import { ACTIVITY_NAME } from './scenario/field-schemas.ts'

/** Undefined for one without an activity on the launcher: it cannot be opened. */
export const installedApp = ({
  packageName,
  versionName,
  versionCode,
  launchActivity,
}: Apk): ScenarioApp | undefined => {
  if (launchActivity === undefined || !ACTIVITY_NAME.test(launchActivity)) return undefined
  return v.parse(App, {
    package: packageName,
    label: packageName,
    versionName: versionName || 'null',
    versionCode,
    screens: {
      main: {
        activity: launchActivity,
        nodes: [
          { text: packageName, textSize: 22, padding: 24, resourceId: `${packageName}:id/name` },
          { text: `Version ${versionName} (${versionCode})`, padding: 24, resourceId: `${packageName}:id/version` },
        ],
      },
    },
  })
}
