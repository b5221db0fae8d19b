/** The rows of the Settings app on the default device, in their order. */

export interface SettingsRow {
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

export const FIRST_ROWS: readonly SettingsRow[] = [
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

export const LAST_ROW: SettingsRow = { title: 'About phone', icon: grey }

export const ABOUT_ROWS: readonly { title: string; summary: string }[] = [
  { title: 'Device name', summary: 'Simulated phone' },
  { title: 'Phone number', summary: 'Unknown' },
  { title: 'Legal information', summary: 'Licenses, terms' },
  { title: 'Android version', summary: '15' },
  { title: 'Model', summary: 'Svc Sim' },
  { title: 'IP address', summary: '192.0.2.15' },
  { title: 'Device up time', summary: '2:14' },
  { title: 'Build number', summary: 'SIM1.250101.001' },
]
