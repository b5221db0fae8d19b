/** Words of other tools are answered with the command of svc. */
import { expect, test } from 'vitest'
import { catalogue } from '../../../../src/surfaces/cli/commands/catalogue.ts'
import { parse } from '../../../../src/surfaces/cli/flags/parse-all.ts'
import { SUGGESTED_COMMANDS } from '../../../../src/surfaces/cli/flags/suggestions.ts'
import { hintedOutput } from '../../../../src/surfaces/cli/hinted-output.ts'
import { callCli } from '../../../support/cli/call-cli.ts'

test.each<[string[], string, string]>([
  [['tap', 'OK'], 'click', 'Use svc click. See: svc help click.'],
  [['Tap', 'OK', '--text', 'a'], 'click', 'Use svc click. See: svc help click.'],
  [['tapOn', 'OK'], 'click', 'Use svc click. See: svc help click.'],
  [['longPressOn'], 'click --long', 'Use svc click --long. See: svc help click.'],
  [['ls'], 'devices', 'Use svc devices. See: svc help devices.'],
  [['demo'], 'simulate', 'Use svc simulate. See: svc help simulate.'],
  [['version'], '--version', 'Use: svc --version.'],
  [['launch', 'com.example'], 'open', 'Use svc open. See: svc help open.'],
  [['input', 'tap', '5', '6'], 'click', 'Use svc click. See: svc help click.'],
  [['input', 'text', 'a'], 'type', 'Use svc type. See: svc help type.'],
  [['am', 'force-stop', 'a.b'], 'close', 'Use svc close. See: svc help close.'],
  [['screencap'], 'screenshot', 'Use svc screenshot. See: svc help screenshot.'],
  [['logcat', '-f'], 'logs', 'Use svc logs. See: svc help logs.'],
  [
    ['rotate'],
    'settings set orientation landscape_left',
    'Use svc settings set orientation landscape_left. See: svc help settings set.',
  ],
  [['battery', '15'], 'settings set battery 15', 'Use svc settings set battery 15. See: svc help settings set.'],
  [['cancel', 'x'], 'executions cancel', 'Use svc executions cancel. See: svc help executions cancel.'],
])('svc %j', async (argv, meant, hint) => {
  const { code, json } = await callCli(argv)
  expect(code).toBe(1)
  expect(json()).toMatchObject({
    code: 'USAGE',
    message: `There is no command "${argv[0]}". Did you mean ${meant}?`,
    hint,
  })
})

test.each<[string[], string, string]>([
  [['-v'], 'svc has no flag -v. Did you mean --version?', 'Use: svc --version.'],
  [['-V'], 'svc has no flag -V. Did you mean --version?', 'Use: svc --version.'],
  [['click', 'OK', '-v'], 'svc click has no flag -v. Did you mean --verbose?', 'Use --verbose. See: svc click --help.'],
  [
    ['devices', '-s', 'x'],
    'svc devices has no flag -s. Did you mean --device?',
    'Use --device. See: svc devices --help.',
  ],
  [
    ['emulators', 'rm', 'x'],
    'There is no command "emulators rm". Did you mean emulators delete?',
    'See: svc emulators --help.',
  ],
  [
    ['executions', 'ls'],
    'There is no command "executions ls". Did you mean executions list?',
    'See: svc executions --help.',
  ],
  [['files', 'rm', '-r', 'x'], 'There is no command "files rm". Did you mean files remove?', 'See: svc files --help.'],
  [['files', 'rm', 'x'], 'There is no command "files rm". Did you mean files remove?', 'See: svc files --help.'],
  [
    ['files', 'remove', '-r', 'x'],
    'svc files remove has no flag -r. Did you mean --recursive?',
    'Use --recursive. See: svc files remove --help.',
  ],
  [['logs', '-f'], 'svc logs has no flag -f. Did you mean --follow?', 'Use --follow. See: svc logs --help.'],
  [['logs', '--tail', '5'], 'svc logs has no flag --tail. Did you mean --limit?', 'Use --limit. See: svc logs --help.'],
  [
    ['apps', 'revoke', 'a.b', 'camera'],
    'There is no command "apps revoke". Did you mean apps permission <package> <permission> deny?',
    'Use svc apps permission <package> <permission> deny. See: svc help apps permission.',
  ],
  [
    ['apps', 'describe', 'a.b'],
    'There is no command "apps describe". Did you mean apps info?',
    'Use svc apps info. See: svc help apps info.',
  ],
  [
    ['settings', 'restore'],
    'There is no command "settings restore". Did you mean device restore?',
    'Use svc device restore. See: svc help device restore.',
  ],
  [
    ['settings', 'list'],
    'There is no command "settings list". Did you mean settings get?',
    'Use svc settings get. See: svc help settings get.',
  ],
  [
    ['shell', 'ls', '-l', '/sdcard'],
    'svc shell has no flag -l.',
    'Flags of the command itself go in quotes, or behind --: svc shell "ls -l /sdcard", svc shell -- ls -l /sdcard.',
  ],
])('svc %j', async (argv, message, hint) => {
  expect((await callCli(argv)).json()).toMatchObject({ code: 'USAGE', message, hint })
})

test.each<[string[], string]>([
  [['install', 'foo.apk'], 'Did you mean: svc apps install foo.apk.'],
  [['uninstall', 'com.foo'], 'Did you mean: svc apps uninstall com.foo.'],
  [['swipe', 'up'], 'Did you mean: svc scroll down.'],
  [['forward', 'add', '8080', '80'], 'Did you mean: svc forward add tcp:8080 tcp:80.'],
  [['forward', 'add', 'tcp:8080', 'x'], 'A port is a number from 1 to 65535.'],
  [['install', 'foo'], 'Run svc install --help to see the arguments and flags.'],
  [['settings', 'set'], 'Run svc settings set --help to see the arguments and flags.'],
])('svc %j says the call that was meant', async (argv, hint) => {
  expect((await callCli(argv)).json()).toMatchObject({ code: 'USAGE', hint })
})

test.each<[string[], string]>([
  [['apps', 'permission', 'a.b', 'camera', 'grant'], 'grant is allow here. Allowed: "allow", "deny", "unset".'],
  [['apps', 'permission', 'a.b', 'camera', 'revoke'], 'revoke is deny here. Allowed: "allow", "deny", "unset".'],
])('svc %j says the word that stands for it', async (argv, hint) => {
  expect((await callCli([...argv, '--validate-only'])).json()).toMatchObject({ hint })
})

test.each<[string[], string, string]>([
  [
    ['battery', '15%'],
    'battery takes a level from 0 to 100, and a plug where that changes too (none, ac, usb, wireless), but is "15%".',
    'Write it like this: svc settings set battery 15 or 15,ac.',
  ],
  [
    ['battery', '15,solar'],
    'battery takes a level from 0 to 100, and a plug where that changes too (none, ac, usb, wireless), but is "15,solar".',
    'Write it like this: svc settings set battery 15 or 15,ac.',
  ],
  [
    ['location', '99,2.35'],
    'location takes a latitude from -90 to 90 and a longitude from -180 to 180, but is "99,2.35".',
    'Write it like this: svc settings set location 48.85,2.35.',
  ],
])('svc settings set %j is told in the words of the command line', async (argv, message, hint) => {
  const { json } = await callCli(['settings', 'set', ...argv, '--validate-only'])
  expect(json()).toMatchObject({ code: 'EXECUTION_VALIDATION_FAILED', message, hint })
})

test.each(['15', '15,ac', '0,none'])('svc settings set battery %s is taken', async value => {
  expect((await callCli(['settings', 'set', 'battery', value, '--validate-only'])).code).toBe(0)
})

test('files are fetched into the current folder where no other one is named', async () => {
  const { json } = await callCli(['files', 'pull', '/sdcard/a.txt', '--dry-run'], { cwd: '/tmp' })
  expect(JSON.stringify(json())).toContain('"to":"/tmp"')
})

test('landscape is landscape_left on the command line', async () => {
  const { json } = await callCli(['settings', 'set', 'orientation', 'landscape', '--dry-run'])
  expect(JSON.stringify(json())).toContain('"value":"landscape_left"')
})

test('a time in the place of a label is told to be one', () => {
  const error = { code: 'NODE_NOT_FOUND', message: 'No node.', hint: 'Look.' }
  const called = { path: ['wait'] }
  expect(hintedOutput({ envelope: { error } }, called, ['500'])).toMatchObject({
    envelope: { error: { hint: 'Look. To wait 500 ms: svc sleep 500.' } },
  })
  expect(hintedOutput({ envelope: { error } }, called, ['OK'])).toMatchObject({
    envelope: { error: { hint: 'Look.' } },
  })
})

test('a word that every object has is no suggestion', async () => {
  for (const word of ['constructor', 'toString', '__proto__']) {
    expect((await callCli([word])).json()).toMatchObject({ code: 'USAGE', hint: 'See: svc --help.' })
    expect((await callCli(['executions', word])).json()).toMatchObject({ code: 'USAGE' })
  }
})

test('each suggestion is a call of svc, and none hides a command', async () => {
  const commands = await catalogue.all()
  for (const [word, meant] of Object.entries(SUGGESTED_COMMANDS)) {
    const parsed = parse(commands, meant.split(' '))
    expect(['run', 'refused', 'version'], meant).toContain(parsed.kind)
    expect(
      commands.some(({ path }) => path[0] === word),
      word,
    ).toBe(false)
  }
})
