/** The Settings app of the default device. */
import type { WrittenApp } from '../app.ts'
import type { WrittenNode } from '../node.ts'
import { ABOUT_ROWS, FIRST_ROWS, LAST_ROW, type SettingsRow } from './settings-rows.ts'

const PACKAGE = 'com.android.settings'
const GREY = '#5F6368'
const BAR = { textSize: 24, height: 56, padding: 12 }

type WrittenScreen = WrittenApp['screens'][string]

const slug = (title: string) => title.toLowerCase().replaceAll(/\W+/g, '-')

const labels = (title: string, summary: string | undefined): WrittenNode => ({
  class: 'RelativeLayout',
  nodes: [
    { text: title, resourceId: 'android:id/title', textSize: 17 },
    ...(summary === undefined
      ? []
      : [{ text: summary, resourceId: 'android:id/summary', textSize: 14, color: GREY } satisfies WrittenNode]),
  ],
})

const homepageRow = ({ title, summary, value, icon }: SettingsRow): WrittenNode => ({
  layout: 'row',
  height: 72,
  onTap: { goTo: slug(title) },
  nodes: [
    { icon, class: 'ImageView', resourceId: 'android:id/icon' },
    labels(title, summary),
    ...(value === undefined
      ? []
      : [
          { text: value, resourceId: 'android:id/summary', width: 72, align: 'end', color: GREY } satisfies WrittenNode,
        ]),
  ],
})

const detailRow = ({ title, summary }: { title: string; summary: string }): WrittenNode => ({
  layout: 'row',
  height: 72,
  clickable: true,
  nodes: [labels(title, summary)],
})

const detail = (title: string, rows: readonly WrittenNode[], activity = '.SubSettings'): WrittenScreen => ({
  activity,
  nodes: [
    {
      layout: 'row',
      height: 64,
      padding: 4,
      resourceId: `${PACKAGE}:id/action_bar`,
      nodes: [
        { contentDesc: 'Navigate up', width: 56, height: 56, onTap: { back: true } },
        { text: title, ...BAR },
      ],
    },
    { scrollable: true, resourceId: `${PACKAGE}:id/recycler_view`, nodes: [...rows] },
  ],
})

const rowDetail = ({ title, summary, value }: SettingsRow): [string, WrittenScreen] => [
  slug(title),
  detail(title, [detailRow({ title: 'Status', summary: value ?? summary ?? '' })]),
]

const rows = [...FIRST_ROWS, LAST_ROW]

export const settingsApp: WrittenApp = {
  package: PACKAGE,
  label: 'Settings',
  versionName: '15',
  versionCode: 35,
  icon: GREY,
  start: 'main',
  intents: [
    { action: 'android.settings.SETTINGS' },
    { action: 'android.settings.WIRELESS_SETTINGS', goTo: slug('Network & internet') },
    { action: 'android.settings.DISPLAY_SETTINGS', goTo: slug('Display') },
    { action: 'android.settings.DEVICE_INFO_SETTINGS', goTo: slug(LAST_ROW.title) },
  ],
  screens: {
    main: {
      activity: '.Settings',
      nodes: [
        { text: 'Settings', resourceId: `${PACKAGE}:id/homepage_title`, textSize: 34, height: 84, padding: 20 },
        { id: 'search', resourceId: `${PACKAGE}:id/search`, hint: 'Search settings' },
        {
          id: 'wifi',
          text: 'Wi-Fi',
          resourceId: `${PACKAGE}:id/wifi_switch`,
          class: 'Switch',
          checked: true,
          kept: true,
        },
        { scrollable: true, resourceId: `${PACKAGE}:id/list`, nodes: rows.map(homepageRow) },
      ],
    },
    ...Object.fromEntries(FIRST_ROWS.map(rowDetail)),
    [slug(LAST_ROW.title)]: detail(LAST_ROW.title, ABOUT_ROWS.map(detailRow), '.Settings$MyDeviceInfoActivity'),
  },
}
