/** Screens that belong to no app of the scenario: the keyguard, the notification shade and the list of recent apps. */
import * as v from 'valibot'
import { App, type ScenarioApp } from '../scenario/app.ts'
import type { WrittenNode } from '../scenario/node.ts'

export const SYSTEM_UI = 'com.android.systemui'
const WHITE = '#FFFFFF'
const NIGHT = '#101B2B'

export type Keyguard = 'none' | 'swipe' | 'secure'

const systemUi = (activity: string, nodes: WrittenNode[]): ScenarioApp =>
  v.parse(App, {
    package: SYSTEM_UI,
    label: 'System UI',
    screens: { main: { activity, background: NIGHT, nodes } },
  })

const ANDROID = 'android'
const REASONS = { crash: 'keeps stopping', anr: "isn't responding" } as const

const aerr = (id: string, text: string, onTap: WrittenNode['onTap']): WrittenNode => ({
  ...{ class: 'Button', text, resourceId: `${ANDROID}:id/${id}`, onTap },
})

/** The dialog about an app that crashed or does not respond; no key closes it. */
export const failureApp = (failure: keyof typeof REASONS, { package: name, label }: ScenarioApp): ScenarioApp =>
  v.parse(App, {
    package: ANDROID,
    label: 'Android System',
    screens: {
      main: {
        activity: '.AppErrorDialog',
        dialog: { cancelable: false },
        onKey: { BACK: { nothing: true } },
        nodes: [
          { text: `${label} ${REASONS[failure]}`, resourceId: `${ANDROID}:id/alertTitle`, textSize: 20, padding: 20 },
          aerr('aerr_close', 'Close app', { stopApp: name, back: true }),
          ...(failure === 'anr' ? [aerr('aerr_wait', 'Wait', { back: true })] : []),
        ],
      },
    },
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

const tile = (text: string, isOn: boolean): WrittenNode => ({
  ...{
    text,
    contentDesc: text,
    class: 'Switch',
    checked: isOn,
    color: WHITE,
    background: '#2B3A4E',
    height: 64,
    padding: 16,
  },
})

export interface ShadeRow {
  packageName: string
  title: string
  text: string
}

const notificationCard = ({ label, packageName, title, text }: ShadeRow & { label: string }): WrittenNode => ({
  resourceId: `${SYSTEM_UI}:id/expandableNotificationRow`,
  padding: 8,
  onTap: { openApp: packageName },
  nodes: [
    { text: label, textSize: 12, color: WHITE, resourceId: 'android:id/app_name_text' },
    { text: title, color: WHITE, resourceId: 'android:id/title' },
    ...(text === '' ? [] : [{ text, textSize: 14, color: WHITE, resourceId: 'android:id/text' }]),
  ],
})

export const shadeApp = (rows: readonly (ShadeRow & { label: string })[]): ScenarioApp =>
  systemUi('.NotificationShade', [
    { text: '10:00', textSize: 28, color: WHITE, padding: 20, resourceId: `${SYSTEM_UI}:id/clock` },
    {
      layout: 'grid',
      columns: 2,
      padding: 12,
      resourceId: `${SYSTEM_UI}:id/quick_qs_panel`,
      nodes: [
        tile('Internet', true),
        tile('Bluetooth', false),
        tile('Flashlight', false),
        tile('Do Not Disturb', false),
      ],
    },
    {
      resourceId: `${SYSTEM_UI}:id/notification_stack_scroller`,
      fill: true,
      scrollable: rows.length > 0,
      nodes:
        rows.length > 0
          ? rows.map(notificationCard)
          : [
              {
                text: 'No notifications',
                color: WHITE,
                align: 'center',
                resourceId: `${SYSTEM_UI}:id/no_notifications`,
              },
            ],
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
