import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { commandLine } from '../../../../src/runtime/text/quote.ts'
import { runIn, shellOf } from '../../../support/device/shell-run.ts'
import { type StubPhone, stubPhone } from '../../../support/device/stub-phone.ts'

let phone: StubPhone
let am: (...words: string[]) => ReturnType<typeof runIn>

beforeEach(() => {
  phone = stubPhone(systemClock())
  const shell = shellOf(phone)
  am = (...words) => runIn(shell, commandLine('am', ...words))
})

describe('am broadcast', () => {
  test('hands over every extra unchanged, and answers as Android does', async () => {
    const payload = `{"a": "it's; $x \`y\` \\n\n\\"", "b": 1}`
    const { code, out, err } = await am(
      'broadcast',
      '-a',
      'com.x.DO',
      '-p',
      'com.svc.operator',
      '--es',
      'payload',
      payload,
      '--receiver-foreground',
    )
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'Broadcasting: Intent { act=com.x.DO flg=0x10400000 pkg=com.svc.operator (has extras) }\nBroadcast completed: result=0\n',
      err: '',
    })
    expect(phone.intents).toEqual([{ action: 'com.x.DO', packageName: 'com.svc.operator', extras: { payload } }])
  })

  test('says when the package is not there', async () => {
    const { code, out } = await am('broadcast', '-a', 'X', '-p', 'com.absent')
    expect(code).not.toBe(0)
    expect(out).toContain('Target package not found: com.absent')
    expect(out).not.toContain('Broadcast completed')
  })

  test('every kind of extra, and components', async () => {
    await am(
      'broadcast',
      '-n',
      'com.example.notes/.Receiver',
      '--ez',
      'on',
      'T',
      '--ei',
      'n',
      '-5',
      '--esn',
      'nothing',
      '-e',
      'k',
      'v',
      '--user',
      '0',
    )
    expect(phone.intents[0]).toEqual({
      packageName: 'com.example.notes',
      component: 'com.example.notes/com.example.notes.Receiver',
      extras: { on: 'true', n: '-5', nothing: '', k: 'v' },
    })
  })
})

describe('am start', () => {
  test('by package, by component and by uri', async () => {
    expect((await am('start', 'com.android.settings')).code).toBe(0)
    expect((await am('start', '-n', 'com.example.notes/.Main', '-f', '0x10200000')).out).toBe(
      'Starting: Intent { flg=0x10200000 cmp=com.example.notes/.Main }\n',
    )
    await am('start', 'https://example.com/?a=b&c')
    expect(phone.intents).toEqual([
      { action: 'android.intent.action.MAIN', packageName: 'com.android.settings', extras: {} },
      { packageName: 'com.example.notes', component: 'com.example.notes/com.example.notes.Main', extras: {} },
      { action: 'android.intent.action.VIEW', data: 'https://example.com/?a=b&c', extras: {} },
    ])
  })

  test('what cannot be started: on stderr, or on stdout when it waits', async () => {
    const uri = await am('start', '-a', 'android.intent.action.VIEW', '-d', 'nope://x')
    expect(uri.code).toBe(1)
    expect(uri.err).toBe(
      'Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW dat=nope://x flg=0x10000000 }\n',
    )
    const waiting = await am('start', '-W', '-n', 'com.absent/.Main')
    expect(waiting).toMatchObject({ code: 1, err: '' })
    expect(waiting.out).toContain('Error type 3\nError: Activity class {com.absent/com.absent.Main} does not exist.\n')
  })

  test('-W says what came to the front, and a second start that it was there', async () => {
    expect((await am('start-activity', '-W', 'com.example.notes')).out).toMatch(
      /^Starting: .*\nStatus: ok\nLaunchState: COLD\nActivity: com\.example\.notes\/\.MainActivity\nTotalTime: \d+\nWaitTime: \d+\nComplete\n$/,
    )
    expect((await am('start', 'com.example.notes')).err).toContain('Warning: Activity not started')
    const onTop = (await am('start', '-W', 'com.example.notes')).out
    expect(onTop).toContain('Warning: Activity not started')
    expect(onTop).toContain('LaunchState: UNKNOWN (0)\n')
    expect(onTop).toContain('TotalTime: 0\n')
  })

  test('-S stops the app first', async () => {
    expect((await am('start', '-S', 'com.example.notes')).out).toContain('Stopping: com.example.notes\n')
    expect(phone.done).toEqual(['force-stop com.example.notes'])
  })
})

test('force-stop', async () => {
  expect(await am('force-stop', '--user', '0', 'x; reboot #')).toMatchObject({ code: 0, out: '' })
  expect(phone.done).toEqual(['force-stop x; reboot #'])
  expect((await am('force-stop')).code).toBe(255)
})

test.each([
  [['start', '--nope'], 'Unknown option: --nope'],
  [['start', '-a'], 'Argument expected after "-a"'],
  [['broadcast', '--ez', 'a', 'maybe'], 'Invalid boolean value: maybe'],
  [['broadcast', '--ei', 'a', 'x'], 'For input string: "x"'],
  [['start', '-n', 'nocomponent'], 'Bad component name: nocomponent'],
  [['dance'], 'Unknown command: dance'],
])('am %j is refused', async (words, reason) => {
  const { code, err } = await am(...words)
  expect(code).toBe(255)
  expect(err).toContain(reason)
  expect(phone.intents).toEqual([])
})
