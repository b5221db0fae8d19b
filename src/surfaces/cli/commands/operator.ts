/** `svc operator install|status|uninstall|report`, the helpers of svc.uiautomator on a phone, and `svc operator check`. */
import type { Command } from '../command.ts'

const install: Command = {
  path: ['operator', 'install'],
  text: async () => (await import('../operator/operator.ts')).operatorInstalledText,
  summary: 'install the helper packages that make a device fast to drive',
  details:
    'Installs two packages (42 KB, MIT licence) whose SHA-256 svc knows: one reads the screen and injects touches, the\n' +
    'other types text that keys cannot. Nothing else ever installs them. Prints {ok, deviceId, operatorPackage, packages,\n' +
    'notes}: what was installed, what it can do, and who else can reach it while it runs. Running it twice changes\n' +
    'nothing. A refusal is OPERATOR_INSTALL_FAILED with details.reason. Then: --operator-package svc.uiautomator.',
  flags: [{ name: 'no-keyboard', summary: 'leave out the package that types' }],
  uses: ['device', 'lease'],
  examples: ['svc operator install', 'svc operator install --device R5CT1234567 --no-keyboard'],
  run: async call => (await import('../operator/operator.ts')).install(call),
}

const status: Command = {
  path: ['operator', 'status'],
  text: async () => (await import('../operator/operator.ts')).operatorStatusText,
  summary: 'show which helper packages a device has',
  details:
    'Prints {ok, deviceId, operatorPackage, ready, running, packages}; changes nothing. A package is ours when its bytes\n' +
    'are, newer or other when another tool has put it there, or missing.',
  uses: ['device'],
  examples: ['svc operator status', 'svc operator status --output pretty'],
  run: async call => (await import('../operator/operator.ts')).status(call),
}

const uninstall: Command = {
  path: ['operator', 'uninstall'],
  text: async () => (await import('../operator/operator.ts')).operatorUninstalledText,
  summary: 'remove the helper packages from a device',
  details:
    'Prints {ok, deviceId, operatorPackage, packages}. Removes packages of these names also when another tool has\n' +
    'installed them. A keyboard that was left switched is switched back before.',
  flags: [{ name: 'no-keyboard', summary: 'leave the package that types where it is' }],
  uses: ['device', 'lease'],
  examples: ['svc operator uninstall'],
  run: async call => (await import('../operator/operator.ts')).uninstall(call),
}

const report: Command = {
  path: ['operator', 'report'],
  text: async () => (await import('../operator/operator.ts')).operatorReportText,
  summary: 'measure the helper on a device and write the numbers to a file',
  details:
    'Starts the helper, takes 20 snapshots, taps 20 times on an empty place of the screen, and types into a field if one\n' +
    'is named. The file holds versions, times and failures, and nothing of what the screen shows. Prints {ok, path,\n' +
    'report}.',
  flags: [
    { name: 'to', value: 'file', summary: 'the file to write (default svc-operator-report.json); it must not exist' },
    { name: 'field', value: 'resource-id', summary: 'a field on the screen that may be typed into, and emptied' },
  ],
  uses: ['device'],
  examples: ['svc operator report', 'svc operator report --to pixel-8.json --field com.example:id/search'],
  run: async call => (await import('../operator/operator.ts')).report(call),
}

const check: Command = {
  path: ['operator', 'check'],
  text: async () => (await import('../operator/check.ts')).operatorCheckedText,
  summary: 'check that an operator app keeps its protocol',
  details:
    'For authors of operator apps: asks the app on the device what docs/operator-protocol.md says, by broadcast and over its\n' +
    'session socket, and says which rules it breaks. Opens the settings of the device, clicks a row there and types into\n' +
    'their search; leaves the home screen. Prints {ok, deviceId, operatorPackage, checks: [{id, held, detail}], held, all,\n' +
    'leftOut: [{id, reason}]}; exits with 1 when a check does not hold. leftOut names the checks that this phone or app\n' +
    'has nothing for. No other command can use the device meanwhile.',
  args: [{ name: 'package', summary: 'the package of the operator app', required: true, kind: 'app' }],
  uses: ['device'],
  examples: ['svc operator check com.example.operator', 'svc operator check com.svc.operator --output text'],
  run: async call => (await import('../operator/check.ts')).check(call),
}

export const operator: readonly Command[] = [install, status, uninstall, report, check]
