/** Words of other tools are answered with the command of svc. */
import { expect, test } from 'vitest'
import { catalogue } from '../../src/cli/commands/catalogue.ts'
import { parse } from '../../src/cli/parse-all.ts'
import { SUGGESTED_COMMANDS } from '../../src/cli/suggestions.ts'
import { callCli } from '../support/call-cli.ts'

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
])('svc %j', async (argv, message, hint) => {
  expect((await callCli(argv)).json()).toMatchObject({ code: 'USAGE', message, hint })
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
