/** `svc apps`: the applications of a device. */
import type { Command } from '../command.ts'

const list: Command = {
  path: ['apps', 'list'],
  text: 'apps',
  summary: 'list the applications of a device',
  details:
    'Prints {"apps": [{"applicationId", "kind", "versionCode"}], "count"}, sorted by name. The kind is system for what\n' +
    'came with the phone, and user for what was installed since.',
  flags: [{ name: 'kind', value: 'user|system', summary: 'only applications of this kind' }],
  uses: ['device'],
  examples: ['svc apps list', 'svc apps list --kind user --output text'],
  run: async call => (await import('../apps.ts')).listApps(call),
}

const info: Command = {
  path: ['apps', 'info'],
  text: 'app',
  summary: 'show version, state and permissions of an application',
  details:
    'Prints {"app": {applicationId, kind, versionCode, versionName, minSdk, targetSdk, uid, debuggable, enabled, installer,\n' +
    'splits, lastUpdated, permissions}}; what the device does not say is left out. APP_NOT_FOUND if it is not installed.',
  args: [{ name: 'package', summary: 'com.android.settings', required: true }],
  uses: ['device'],
  examples: ['svc apps info com.android.settings'],
  run: async call => (await import('../apps.ts')).showApp(call),
}

export const APPS: readonly Command[] = [list, info]
