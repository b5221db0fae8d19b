/** `svc apps`: the applications of a device. */
import { installAction, removalAction } from '../../executions/flat-actions.ts'
import type { Command } from '../command.ts'
import { executionTimeout } from '../flag-values.ts'
import { commandOf, type FlatCommand, flatPayload, switched } from '../flat/command.ts'

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

const install: FlatCommand = {
  path: ['apps', 'install'],
  shape: 'svc apps install <apk>... [--grant-permissions] [--downgrade]',
  summary: 'install an application for the user in front, or replace it',
  details:
    'The APKs of one application: the base, and its splits where it has some. The data of the step have application_id,\n' +
    'version_name, version_code, and replaced. INSTALL_FAILED with a reason in data.reason: the code of Android, or\n' +
    'NOT_AN_APK, PACKAGES_DIFFER before anything is sent. Without --timeout it takes up to 120,000 ms.',
  args: [{ name: 'apk', summary: 'a file such as app.apk', required: true, rest: true }],
  flags: [
    { name: 'grant-permissions', summary: 'allow all permissions that it asks for at run time' },
    { name: 'downgrade', summary: 'also where a newer version is installed; Android takes that for debuggable ones' },
  ],
  examples: ['svc apps install app.apk', 'svc apps install base.apk split_config.xxhdpi.apk --grant-permissions'],
  draft: call =>
    installAction(
      {
        paths: call.args,
        grantPermissions: switched(call, 'grant-permissions'),
        downgrade: switched(call, 'downgrade'),
      },
      executionTimeout(call),
    ),
}

const installCommand: Command = {
  ...commandOf(install),
  run: async call =>
    (await import('../apps.ts')).installApp(flatPayload(install, call, { now: call.clock.now() }), call),
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

export const APPS: readonly Command[] = [list, info, installCommand, commandOf(uninstall), commandOf(clear)]
