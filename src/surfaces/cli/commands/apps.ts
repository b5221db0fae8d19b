/** `svc apps`: the applications of a device. */
import { PERMISSION_GROUPS, PERMISSION_STATES } from '../../../contracts/json/literals.ts'
import type { Command } from '../command.ts'
import { commandOf, type FlatCommand, flatPayload } from '../flat/command.ts'

const list: Command = {
  path: ['apps', 'list'],
  text: async () => (await import('../devices/apps.ts')).appsText,
  summary: 'list the applications of a device',
  details:
    'Prints {"apps": [{"applicationId", "kind", "versionCode"}], "count"}, sorted by name. The kind is system for what\n' +
    'came with the phone, and user for what was installed since.',
  flags: [{ name: 'kind', value: 'user|system', summary: 'only applications of this kind' }],
  uses: ['device'],
  examples: ['svc apps list', 'svc apps list --kind user --output text'],
  run: async call => (await import('../devices/apps.ts')).listApps(call),
}

const info: Command = {
  path: ['apps', 'info'],
  text: async () => (await import('../devices/apps.ts')).appText,
  summary: 'show version, state and permissions of an application',
  details:
    'Prints {"app": {applicationId, kind, versionCode, versionName, minSdk, targetSdk, uid, debuggable, enabled, installer,\n' +
    'splits, lastUpdated, permissions}}; what the device does not say is left out. APP_NOT_FOUND if it is not installed.',
  args: [{ name: 'package', summary: 'com.android.settings', required: true, kind: 'app' }],
  uses: ['device'],
  examples: ['svc apps info com.android.settings'],
  run: async call => (await import('../devices/apps.ts')).showApp(call),
}

const install: FlatCommand = {
  type: 'install_app',
  path: ['apps', 'install'],
  shape: 'svc apps install <apk>... [--grant-permissions] [--downgrade]',
  summary: 'install an application for the user in front, or replace it',
  details:
    'The APKs of one application: the base, and its splits where it has some. The data of the step have application_id,\n' +
    'version_name, version_code, and replaced. INSTALL_FAILED with a reason in data.reason: the code of Android, or\n' +
    'NOT_AN_APK, PACKAGES_DIFFER before anything is sent. Without --timeout it takes up to 120,000 ms.',
  args: [{ name: 'apk', summary: 'a file such as app.apk', required: true, rest: true, param: 'paths' }],
  flags: [
    {
      name: 'grant-permissions',
      summary: 'allow all permissions that it asks for at run time',
      param: 'grantPermissions',
    },
    {
      name: 'downgrade',
      summary: 'also where a newer version is installed; Android takes that for debuggable ones',
      param: 'downgrade',
    },
  ],
  examples: ['svc apps install app.apk', 'svc apps install base.apk split_config.xxhdpi.apk --grant-permissions'],
}

const installCommand: Command = {
  ...commandOf(install),
  run: async call =>
    (await import('../devices/files.ts')).transfer(flatPayload(install, call, { now: call.clock.now() }), call),
}

const target = {
  name: 'package',
  summary: 'com.example.notes',
  required: true,
  param: 'applicationId',
  kind: 'app',
} as const

const uninstall: FlatCommand = {
  type: 'uninstall_app',
  path: ['apps', 'uninstall'],
  shape: 'svc apps uninstall <package> [--keep-data]',
  summary: 'uninstall an application for the user in front',
  details:
    'An application that came with the phone is only hidden: adb shell cmd package install-existing brings it back.',
  args: [target],
  flags: [{ name: 'keep-data', summary: 'keep its data, for when it is installed again', param: 'keepData' }],
  examples: ['svc apps uninstall com.example.notes', 'svc apps uninstall com.example.notes --keep-data'],
}

const clear: FlatCommand = {
  type: 'clear_app',
  path: ['apps', 'clear'],
  shape: 'svc apps clear <package>',
  summary: 'stop an application and remove its data',
  args: [target],
  examples: ['svc apps clear com.example.notes'],
}

const permission: FlatCommand = {
  type: 'set_permission',
  path: ['apps', 'permission'],
  shape: 'svc apps permission <package> <permission> <allow|deny|unset>',
  summary: 'allow or deny a permission of an application, or unset it',
  details:
    'A short name means all permissions of its kind that the application asks for, whatever this Android calls them:\n' +
    `${PERMISSION_GROUPS.join(', ')}.\n` +
    'deny is final: an application that asks is refused without a dialog; unset: it may ask. Losing one ends the application.\n' +
    'PERMISSION_REFUSED says in data.reason why a device did not change it.',
  args: [
    target,
    {
      name: 'permission',
      summary: 'a short name such as camera, or a full one such as android.permission.CAMERA',
      required: true,
      param: 'permission',
    },
    { name: 'state', summary: 'allow, deny or unset', required: true, values: PERMISSION_STATES, param: 'state' },
  ],
  examples: [
    'svc apps permission com.example.notes camera allow',
    'svc apps permission com.example.notes all unset',
    'svc apps permission com.example.notes android.permission.MANAGE_EXTERNAL_STORAGE allow',
  ],
}

export const APPS: readonly Command[] = [
  list,
  info,
  installCommand,
  commandOf(uninstall),
  commandOf(clear),
  commandOf(permission),
]
