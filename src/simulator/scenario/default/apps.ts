/** The small apps beside Settings on the default device: enough to have something to open and to go back from. */
import type { WrittenApp } from '../app.ts'
import type { WrittenNode } from '../node.ts'
import { parseScenario, type Scenario, type WrittenScenario } from '../scenario.ts'
import { settingsApp } from './settings.ts'

const plain = (
  name: string,
  label: string,
  icon: string,
  nodes: readonly WrittenNode[],
  { intents = [], permissions = [] }: Pick<WrittenApp, 'intents' | 'permissions'> = {},
): WrittenApp => ({
  package: name,
  label,
  icon,
  versionName: '15.0',
  versionCode: 15,
  start: 'main',
  intents,
  permissions,
  screens: {
    main: { activity: '.MainActivity', nodes: [{ text: label, textSize: 24, height: 72, padding: 20 }, ...nodes] },
  },
})

const empty = (text: string): WrittenNode => ({ text, padding: 20, color: '#5F6368' })

const uris = (...patterns: string[]) => ({ intents: patterns.map(uri => ({ uri })) })

const permissions = (...names: string[]) => names.map(name => `android.permission.${name}`)

const LOCATION = permissions('ACCESS_COARSE_LOCATION', 'ACCESS_FINE_LOCATION')

const cameraNodes: readonly WrittenNode[] = [
  { contentDesc: 'Shutter', class: 'ImageButton', height: 72 },
  { text: 'Save location', padding: 20, onTap: { askPermission: LOCATION } },
]

const CHROME = 'com.android.chrome'
const browser: WrittenApp = {
  package: CHROME,
  label: 'Chrome',
  icon: '#1E8E3E',
  versionName: '140.0.7339.51',
  versionCode: 733905100,
  start: 'main',
  intents: ['http://*', 'https://*'].map(uri => ({ uri, set: { url: { text: '{uri}' }, page: { text: '{uri}' } } })),
  screens: {
    main: {
      activity: 'com.google.android.apps.chrome.Main',
      nodes: [
        { id: 'url', resourceId: `${CHROME}:id/url_bar`, hint: 'Search or type URL', height: 64, padding: 8 },
        { id: 'page', class: 'WebView', text: 'New tab', resourceId: `${CHROME}:id/page`, fill: true, padding: 20 },
      ],
    },
  },
}

const smallApps: readonly WrittenApp[] = [
  plain('com.android.dialer', 'Phone', '#1E8E3E', [empty('No recent calls')], uris('tel:*')),
  plain('com.android.messaging', 'Messages', '#1A73E8', [empty('No conversations')], uris('sms:*', 'smsto:*')),
  plain('com.android.contacts', 'Contacts', '#00897B', [empty('No contacts')], {
    permissions: permissions('READ_CONTACTS', 'WRITE_CONTACTS', 'CALL_PHONE'),
  }),
  plain('com.android.camera2', 'Camera', '#E8710A', cameraNodes, {
    permissions: [...permissions('CAMERA', 'RECORD_AUDIO'), ...LOCATION],
  }),
  plain('com.android.deskclock', 'Clock', '#9334E6', [{ text: '10:00', textSize: 64, padding: 20, align: 'center' }]),
  plain('com.android.documentsui', 'Files', '#F9AB00', [empty('No items')]),
  browser,
]

const written: WrittenScenario = { apps: [...smallApps, settingsApp] }

export const defaultScenario = (): Scenario => {
  const parsed = parseScenario(written)
  if (!parsed.ok) throw new Error(`the default scenario is wrong: ${parsed.error}`)
  return parsed.scenario
}
