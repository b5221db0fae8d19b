/** The home screen of a scenario that brings none: an icon for each app. */
import * as v from 'valibot'
import { App, type ScenarioApp } from './app.ts'
import type { WrittenNode } from './node.ts'

export const LAUNCHER_PACKAGE = 'com.android.launcher3'

const icon = ({ package: name, label, icon }: ScenarioApp): WrittenNode => ({
  text: label,
  contentDesc: label,
  resourceId: `${LAUNCHER_PACKAGE}:id/icon`,
  icon,
  color: '#FFFFFF',
  textSize: 13,
  align: 'center',
  longClickable: true,
  onTap: { openApp: name },
})

export const launcherFor = (apps: readonly ScenarioApp[]): ScenarioApp =>
  v.parse(App, {
    package: LAUNCHER_PACKAGE,
    label: 'Launcher',
    versionName: '15',
    versionCode: 35,
    screens: {
      home: {
        activity: '.uioverrides.QuickstepLauncher',
        background: '#16324F',
        nodes: [
          { text: 'Tue, 4 Nov', textSize: 26, color: '#FFFFFF', height: 130, padding: 24 },
          { class: 'View', fill: true },
          { layout: 'grid', padding: 12, resourceId: `${LAUNCHER_PACKAGE}:id/workspace`, nodes: apps.map(icon) },
        ],
      },
    },
  })
