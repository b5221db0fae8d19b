/** The Settings app of the default device. */
import type { WrittenApp } from '../app.ts'
import type { WrittenNode } from '../node.ts'

interface SettingsRow {
  title: string
  summary?: string
  /** Stands at the right of the title. */
  value?: string
  icon: string
}

const [blue, teal, green, amber, orange, red, purple, grey] = [
  ...['#1A73E8', '#00897B', '#1E8E3E', '#F9AB00'],
  ...['#E8710A', '#D93025', '#9334E6', '#5F6368'],
] as const

const FIRST_ROWS: readonly SettingsRow[] = [
  { title: 'Network & internet', summary: 'Mobile, hotspot, VPN', icon: blue },
  { title: 'Connected devices', summary: 'Bluetooth, pairing', icon: teal },
  { title: 'Apps', summary: 'Assistant, recent apps, default apps', icon: orange },
  { title: 'Notifications', summary: 'History, conversations', icon: red },
  { title: 'Sound & vibration', summary: 'Volume, haptics', icon: purple },
  { title: 'Modes', summary: 'Do Not Disturb is off', icon: purple },
  { title: 'Display', summary: 'Dark theme, font size, brightness', icon: amber },
  { title: 'Wallpaper & style', summary: 'Colors, themed icons, app grid', icon: orange },
  { title: 'Accessibility', summary: 'Screen reader, text size, audio', icon: teal },
  { title: 'Security & privacy', summary: 'App security, device lock, permissions', icon: green },
  { title: 'Location', summary: 'On, 4 apps have access', icon: blue },
  { title: 'Safety & emergency', summary: 'Emergency SOS, medical info, alerts', icon: red },
  { title: 'Passwords & accounts', summary: 'Suggestions for sign-in, autofill', icon: green },
  { title: 'Digital Wellbeing', summary: 'Screen time, app timers, bedtime', icon: green },
  { title: 'Storage', summary: '38% used, 79 GB free', icon: purple },
  { title: 'Sim cards', summary: 'No SIM inserted', icon: blue },
  { title: 'Data usage', summary: '1.2 GB used this month', icon: teal },
  { title: 'Battery', value: '87%', icon: green },
  { title: 'Languages', summary: 'English (United States)', icon: blue },
  { title: 'Keyboard', summary: 'On-screen keyboard', icon: grey },
  { title: 'Gestures', summary: 'System navigation', icon: teal },
  { title: 'Date & time', summary: 'GMT+00:00', icon: amber },
  { title: 'Night Light', summary: 'Will never turn on automatically', icon: amber },
  { title: 'Screen saver', summary: 'Clock', icon: orange },
  { title: 'Printing', summary: 'On', icon: grey },
  { title: 'Casting', summary: 'Not connected', icon: blue },
  { title: 'NFC', summary: 'Off', icon: grey },
  { title: 'Multiple users', summary: 'Signed in as Owner', icon: purple },
  { title: 'Backup', summary: 'Off', icon: blue },
  { title: 'System update', summary: 'Your system is up to date', icon: green },
  { title: 'Reset options', summary: 'Network, apps, or device can be reset', icon: red },
  { title: 'Developer options', summary: 'USB debugging is on', icon: grey },
  { title: 'Tips & support', summary: 'Help articles, phone & chat', icon: amber },
]

const LAST_ROW: SettingsRow = { title: 'About phone', icon: grey }

const ABOUT_ROWS: readonly { title: string; summary: string }[] = [
  { title: 'Device name', summary: 'Simulated phone' },
  { title: 'Phone number', summary: 'Unknown' },
  { title: 'Legal information', summary: 'Licenses, terms' },
  { title: 'Android version', summary: '15' },
  { title: 'Model', summary: 'Svc Sim' },
  { title: 'IP address', summary: '192.0.2.15' },
  { title: 'Device up time', summary: '2:14' },
  { title: 'Build number', summary: 'SIM1.250101.001' },
]

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
