/** Screens that belong to no app of the scenario: the keyguard and the list of recent apps. */
import * as v from 'valibot'
import { App, type ScenarioApp } from '../scenario/app.ts'
import type { WrittenNode } from '../scenario/node.ts'

const SYSTEM_UI = 'com.android.systemui'
const WHITE = '#FFFFFF'
const NIGHT = '#101B2B'

export type Keyguard = 'none' | 'swipe' | 'secure'

const systemUi = (activity: string, nodes: WrittenNode[]): ScenarioApp =>
  v.parse(App, {
    package: SYSTEM_UI,
    label: 'System UI',
    screens: { main: { activity, background: NIGHT, nodes } },
  })

/** The first screen of such an app. */
export const keyguardApp = (keyguard: Keyguard): ScenarioApp =>
  systemUi('.keyguard.KeyguardView', [
    { class: 'View', height: 160 },
    { text: '10:00', textSize: 72, align: 'center', color: WHITE, resourceId: `${SYSTEM_UI}:id/keyguard_clock` },
    { text: 'Tue, 4 Nov', textSize: 20, align: 'center', color: WHITE },
    { class: 'View', fill: true },
    {
      text: keyguard === 'secure' ? 'Enter PIN' : 'Swipe up to open',
      align: 'center',
      color: WHITE,
      padding: 40,
      resourceId: `${SYSTEM_UI}:id/keyguard_indication_text`,
    },
  ])

/** Tapping a card is handled by the order of the cards. */
export const recentsApp = (apps: readonly ScenarioApp[]): ScenarioApp =>
  systemUi('.recents.RecentsActivity', [
    { text: apps.length === 0 ? 'No recent items' : 'Recent apps', color: WHITE, padding: 24, align: 'center' },
    {
      scrollable: true,
      resourceId: `${SYSTEM_UI}:id/overview_panel`,
      nodes: apps.map(
        ({ package: name, label, icon }): WrittenNode => ({
          layout: 'row',
          height: 120,
          contentDesc: label,
          background: '#2B3A4E',
          onTap: { openApp: name },
          nodes: [
            { icon, class: 'ImageView' },
            { text: label, color: WHITE, textSize: 20 },
          ],
        }),
      ),
    },
  ])
