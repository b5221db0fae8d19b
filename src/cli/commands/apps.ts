/** `svc apps`: the applications of a device. */
import { removalAction } from '../../executions/flat-actions.ts'
import type { Command } from '../command.ts'
import { commandOf, type FlatCommand, switched } from '../flat/command.ts'

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

const target = { name: 'package', summary: 'com.example.notes', required: true }

const uninstall: FlatCommand = {
  path: ['apps', 'uninstall'],
  shape: 'svc apps uninstall <package> [--keep-data]',
  summary: 'uninstall an application for the user in front',
  details:
    'An application that came with the phone is only hidden: adb shell cmd package install-existing brings it back.',
  args: [target],
  flags: [{ name: 'keep-data', summary: 'keep its data, for when it is installed again' }],
  examples: ['svc apps uninstall com.example.notes', 'svc apps uninstall com.example.notes --keep-data'],
  draft: call => removalAction('uninstall', call.args[0] ?? '', switched(call, 'keep-data')),
}

const clear: FlatCommand = {
  path: ['apps', 'clear'],
  shape: 'svc apps clear <package>',
  summary: 'stop an application and remove its data',
  args: [target],
  examples: ['svc apps clear com.example.notes'],
  draft: ({ args: [applicationId = ''] }) => removalAction('clear', applicationId),
}

export const APPS: readonly Command[] = [list, info, commandOf(uninstall), commandOf(clear)]
