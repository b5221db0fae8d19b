import { describe, expect, test } from 'vitest'
import { createPhone } from '../../src/simulator/device.ts'
import { createShell } from '../../src/simulator/shell/shell.ts'
import { runIn } from '../support/device/shell-run.ts'
import { manualClock } from '../support/manual-clock.ts'
import { appOf, middleOf, nodeIn, scenarioOf, textsOf, type WrittenApp } from '../support/simulator/simulated-ui.ts'

const button = (text: string, onTap: object) => ({ class: 'Button', text, onTap })

const phoneWith = (nodes: object[], more: Partial<WrittenApp> = {}, device = {}) => {
  const scenario = scenarioOf({ ...appOf({ main: { activity: '.Main', nodes: nodes as [] } }, more), device })
  const clock = manualClock(1_700_000_000_000)
  const phone = createPhone({ name: 'p', serialno: 'S1', scenario, clock })
  const shell = createShell({ phone, clock })
  const screen = () => phone.tree() ?? { rotation: 0, roots: [] }
  return {
    phone,
    clock,
    texts: () => textsOf(screen()),
    tap: (label: string) => phone.tap(middleOf(nodeIn(screen(), label))),
    shell: async (line: string) => (await runIn(shell, line)).out,
  }
}

describe('log', () => {
  test('an app writes with its own pid and uid, with counters filled in', async () => {
    const { tap, shell } = phoneWith([button('Save', { count: { saves: 1 }, log: 'saved {saves} times' })], {
      counters: { saves: 0 },
    })
    tap('Save')
    const pid = (await shell('pidof com.example')).trim()
    const uid = /uid:(\d+)/.exec(await shell('pm list packages -U com.example'))?.[1]
    expect(await shell('logcat -d -b main -v uid -t 1')).toMatch(
      new RegExp(`^11-14 22:13:20\\.\\d{3} ${uid}  ${pid}  ${pid} I Example : saved 1 times\n$`),
    )
    expect(await shell(`logcat -d --uid=${uid}`)).toContain('saved 1 times')
    expect(await shell('logcat -d --uid=1')).not.toContain('saved')
  })

  test('with a level and a tag of its own', async () => {
    const { tap, shell } = phoneWith([button('Warn', { log: { level: 'warn', tag: 'Net', message: 'a\nb' } })])
    tap('Warn')
    expect(await shell('logcat -d -v tag Net:W *:S -b main')).toBe('W/Net     : a\nW/Net     : b\n')
  })

  test('Android 11 knows no --uid', async () => {
    const { shell } = phoneWith([], {}, { properties: { 'ro.build.version.sdk': '30' } })
    expect(await shell('logcat -d --uid=1000; echo $?')).toBe('1\n')
  })

  test('each buffer has a ring of its own, and is cleared alone', async () => {
    const { phone, tap, shell } = phoneWith([button('Die', { crash: true })])
    tap('Die')
    for (let line = 0; line < 5_000; line++) phone.log.write('I', 'Flood', 'x'.repeat(100))
    expect(await shell('logcat -d -b crash')).toContain('FATAL EXCEPTION: main')
    await shell('logcat -c -b main')
    expect(await shell('logcat -d -b main')).toBe('')
    expect(await shell('logcat -d -b crash')).toContain('FATAL EXCEPTION: main')
  })
})

describe('crash', () => {
  test('closes the app, says so in the crash buffer, and the next start has another pid', async () => {
    const { tap, shell, phone } = phoneWith([button('Die', { crash: { exception: 'a.B', message: 'no' } })])
    const before = await shell('pidof com.example')
    tap('Die')
    expect(phone.foreground().packageName).not.toBe('com.example')
    expect(await shell('logcat -d -b crash -v raw')).toMatch(
      new RegExp(
        `^FATAL EXCEPTION: main\nProcess: com\\.example, PID: ${before.trim()}\na\\.B: no\n\tat com\\.example\\.Main`,
      ),
    )
    expect(await shell('logcat -d -b system -v raw')).toContain('  Force finishing activity com.example/.Main\n')
    expect(await shell('pidof com.example')).not.toBe(before)
  })

  test('of native code leaves a tombstone', async () => {
    const { tap, shell } = phoneWith([button('Die', { crash: { native: true } })])
    tap('Die')
    expect(await shell('logcat -d -b crash -v tag')).toMatch(/^F\/libc {4}: Fatal signal 11[\s\S]*>>> com\.example <<</)
  })

  test('a dialog lies over what is in front until it is answered', async () => {
    const { tap, texts, shell } = phoneWith([button('Die', { crash: { dialog: true } })])
    tap('Die')
    expect(texts()).toEqual(['Example keeps stopping', 'Close app'])
    expect(await shell('dumpsys window windows')).toContain('u0 Application Error: com.example}')
    await shell('input keyevent BACK')
    expect(texts()).toContain('Close app')
    tap('Close app')
    expect(texts()).not.toContain('Close app')
  })
})

describe('anr', () => {
  const stuck = () => phoneWith([{ text: 'Home' }, button('Hang', { anr: { reason: 'waits' } })])

  test('asks, and the app goes on when the person waits', async () => {
    const { tap, texts, shell } = stuck()
    tap('Hang')
    expect(texts()).toEqual(["Example isn't responding", 'Close app', 'Wait'])
    expect(await shell('dumpsys window windows')).toContain('mCurrentFocus=Window')
    expect(await shell('logcat -d -b system -v raw')).toContain('ANR in com.example (com.example/.Main)\nPID: ')
    expect(await shell('logcat -d -b events -v tag')).toMatch(/I\/am_anr {2}: \[0,\d+,com\.example,0,waits\]/)
    tap('Wait')
    expect(texts()).toContain('Home')
  })

  test('ends the app when the person closes it', async () => {
    const { tap, phone } = stuck()
    tap('Hang')
    tap('Close app')
    expect(phone.foreground().packageName).not.toBe('com.example')
  })
})

describe('notifications', () => {
  test('are in the shade and in dumpsys, replaced by id, and gone with the app', async () => {
    const { tap, shell, texts, phone } = phoneWith(
      [button('Tell', { notify: { title: 'Second', text: 'two (2)' } }), button('Clear', { cancelNotification: 7 })],
      { notifications: [{ title: 'First' }, { id: 7, title: 'Seven', ongoing: true }] },
    )
    phone.setShade(true)
    expect(texts()).toEqual(expect.arrayContaining(['First', 'Seven']))
    phone.setShade(false)
    tap('Tell')
    expect(await shell('dumpsys notification --noredact')).toContain('android.text=String (two (2))')
    expect(await shell('dumpsys notification')).toContain('android.title=String [length=6]')
    tap('Clear')
    phone.setShade(true)
    expect(texts()).toEqual(expect.arrayContaining(['Second', 'two (2)']))
    expect(texts()).not.toEqual(expect.arrayContaining(['First']))
    expect(texts()).not.toEqual(expect.arrayContaining(['Seven']))
    tap('Second')
    expect(texts()).toContain('Tell')
    await shell('am force-stop com.example')
    expect(await shell('dumpsys notification')).not.toContain('NotificationRecord')
  })
})
