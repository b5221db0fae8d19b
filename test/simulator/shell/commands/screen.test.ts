import { beforeEach, describe, expect, test } from 'vitest'
import { snapshotXml } from '../../../../src/device/screen/snapshot-xml.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import type { Shell } from '../../../../src/simulator/shell/shell.ts'
import { runIn, shellOf } from '../../../support/device/shell-run.ts'
import { type StubPhone, stubPhone } from '../../../support/device/stub-phone.ts'

let phone: StubPhone
let shell: Shell

beforeEach(() => {
  phone = stubPhone(systemClock())
  shell = shellOf(phone)
})

const xml = () => {
  const tree = phone.tree()
  return tree ? snapshotXml(tree) : ''
}

describe('uiautomator dump', () => {
  test('writes the file it names', async () => {
    expect(await runIn(shell, 'uiautomator dump')).toMatchObject({
      code: 0,
      out: 'UI hierchary dumped to: /sdcard/window_dump.xml\n',
    })
    expect((await runIn(shell, 'cat /sdcard/window_dump.xml')).out).toBe(xml())
    expect(
      (await runIn(shell, 'uiautomator dump --compressed /data/local/tmp/w.xml; cat /data/local/tmp/w.xml')).out,
    ).toBe(`UI hierchary dumped to: /data/local/tmp/w.xml\n${xml()}`)
    expect(xml()).toContain('text="a &quot;b&quot; &lt;c&gt;"')
  })

  test('to the terminal it goes to stdout, with the sentence after it', async () => {
    expect((await runIn(shell, 'uiautomator dump /dev/tty')).out).toBe(`${xml()}UI hierchary dumped to: /dev/tty\n`)
  })

  test('with nothing to dump it leaves an older file as it was, and exits with 0 as on a phone', async () => {
    await runIn(shell, 'echo old > /sdcard/window_dump.xml')
    phone.awake = false
    const { code, out, err } = await runIn(shell, 'uiautomator dump')
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toContain('null root node')
    expect((await runIn(shell, 'cat /sdcard/window_dump.xml')).out).toBe('old\n')
  })

  test('says where it cannot write', async () => {
    const { code, out, err } = await runIn(shell, 'uiautomator dump /system/w.xml')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('Read-only file system')
  })
})

describe('screencap', () => {
  test('to stdout and to files', async () => {
    expect((await runIn(shell, 'screencap -p')).stdout.equals(Buffer.from(phone.png))).toBe(true)
    await runIn(shell, 'screencap -p /sdcard/a; screencap /sdcard/b.png; screencap -d 0 -p > /sdcard/c')
    for (const name of ['a', 'b.png', 'c']) {
      expect(Buffer.from(phone.files.read(`/sdcard/${name}`)?.content ?? []).equals(Buffer.from(phone.png))).toBe(true)
    }
  })

  test('the raw form is refused, not guessed', async () => {
    expect(await runIn(shell, 'screencap')).toMatchObject({ code: 1, out: '' })
    expect((await runIn(shell, 'screencap -p /nowhere/x')).err).toContain('Error opening file: /nowhere/x')
  })
})

describe('wm', () => {
  test('tells the size, and lets nobody change it', async () => {
    expect((await runIn(shell, 'wm size; wm density; wm size reset')).out).toBe(
      'Physical size: 1080x2400\nPhysical density: 420\n',
    )
    expect((await runIn(shell, 'wm size 10x10')).code).toBe(255)
  })

  test('asks for the keyguard to go', async () => {
    phone.locked = true
    await runIn(shell, 'wm dismiss-keyguard')
    expect(phone.locked).toBe(false)
  })
})

describe('dumpsys', () => {
  const dump = async (words: string) => (await runIn(shell, `dumpsys ${words}`)).out

  test.each([
    [true, false],
    [true, true],
    [false, true],
  ])('awake %s, locked %s', async (awake, locked) => {
    Object.assign(phone, { awake, locked })
    expect(await dump('power')).toContain(`mWakefulness=${awake ? 'Awake' : 'Asleep'}\n`)
    expect(await dump('window policy')).toContain(`KeyguardServiceDelegate\n      showing=${locked}\n`)
    expect(await dump('window')).toContain(`isKeyguardShowing=${locked}\n`)
    expect(await dump('trust')).toContain(`deviceLocked=${Number(locked)},`)
    expect(await dump('activity activities')).toContain(`mKeyguardShowing=${locked}\n`)
  })

  test('says what is in front', async () => {
    await runIn(shell, 'am start com.example.notes')
    expect(await dump('window windows')).toMatch(
      /mCurrentFocus=Window\{[0-9a-f]{7} u0 com\.example\.notes\/com\.example\.notes\.MainActivity\}\n {2}mFocusedApp=ActivityRecord\{[0-9a-f]{7} u0 com\.example\.notes\/\.MainActivity t\d+\}/,
    )
    expect(await dump('activity activities')).toContain('topResumedActivity=ActivityRecord{')
    expect(await dump('activity top')).toContain('ACTIVITY com.example.notes/.MainActivity')
    phone.locked = true
    expect(await dump('window')).toMatch(/mCurrentFocus=Window\{\w+ u0 NotificationShade\}/)
    phone.awake = false
    expect(await dump('window displays')).toContain('mCurrentFocus=null')
  })

  test('keeps the windows of an app that did not respond, and prints them before those of now', async () => {
    expect(await dump('window lastanr')).toContain('<no ANR has occurred since boot>')
    Object.assign(phone, { lastAnr: 'com.stuck' })
    const whole = await dump('window')
    const places = [
      '(dumpsys window lastanr)',
      'u0 com.stuck/com.stuck.Main}',
      '(dumpsys window policy)',
      'isKeyguardShowing=',
    ]
    expect(places.map(part => whole.indexOf(part))).toEqual(
      places.map(part => whole.indexOf(part)).sort((a, b) => a - b),
    )
    expect(whole.match(/\(dumpsys window windows\)/g)).toHaveLength(2)
  })

  test('knows packages and their versions', async () => {
    expect(await dump('package com.example.notes')).toMatch(
      /Package \[com\.example\.notes\][\s\S]*versionCode=23 [\s\S]*versionName=2\.3\n/,
    )
    expect(await dump('package com.absent')).toBe('Unable to find package: com.absent\n')
    expect((await runIn(shell, 'dumpsys nonsense')).err).toBe("Can't find service: nonsense\n")
  })
})

describe('packages', () => {
  const out = async (line: string) => (await runIn(shell, line)).out

  test('are listed, found and resolved', async () => {
    expect(await out('pm list packages')).toBe(
      'package:com.android.settings\npackage:com.example.notes\npackage:com.svc.operator\n',
    )
    expect(await out('cmd package list packages notes')).toBe('package:com.example.notes\n')
    expect(await out('pm list packages -f notes')).toBe(
      'package:/data/app/com.example.notes/base.apk=com.example.notes\n',
    )
    expect(await runIn(shell, 'pm path com.absent')).toMatchObject({ code: 1, out: '' })
    expect(await out('pm path com.example.notes')).toBe('package:/data/app/com.example.notes/base.apk\n')
    const resolve =
      'cmd package resolve-activity --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER'
    expect((await out(`${resolve} com.example.notes`)).split('\n')[1]).toBe('com.example.notes/.Start')
    expect(await out(`${resolve} com.absent`)).toBe('No activity found\n')
  })

  test('monkey starts one, or says that there is none', async () => {
    const launch = (name: string) => runIn(shell, `monkey -p ${name} -c android.intent.category.LAUNCHER 1`)
    expect(await launch('com.example.notes')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Events injected: 1\n'),
    })
    expect(await launch('com.absent')).toMatchObject({
      code: 252,
      out: expect.stringContaining('No activities found to run, monkey aborted.'),
    })
    expect(phone.intents).toEqual([
      { action: 'android.intent.action.MAIN', packageName: 'com.example.notes', extras: {} },
    ])
  })

  test('cmd hands on to the programs, and knows no others', async () => {
    expect(await out('cmd settings get global adb_enabled; cmd window size')).toBe('1\nPhysical size: 1080x2400\n')
    expect(await runIn(shell, 'cmd statusbar expand-notifications')).toMatchObject({ code: 0, out: '' })
    expect(await runIn(shell, 'cmd nonsense')).toMatchObject({ code: 20, err: "cmd: Can't find service: nonsense\n" })
    expect((await runIn(shell, "cmd package 'install' '-r' '-S' 100")).out).toContain('Failure [')
  })
})

describe('properties and settings', () => {
  const out = async (line: string) => (await runIn(shell, line)).out

  test('getprop and setprop', async () => {
    expect(await out('getprop ro.product.model; getprop nothing; getprop nothing else')).toBe('Svc Sim\n\nelse\n')
    expect(await out('setprop debug.x "a b"; getprop debug.x; getprop | grep debug')).toBe('a b\n[debug.x]: [a b]\n')
    expect((await runIn(shell, 'setprop ro.product.model Other')).err).toContain(
      "Failed to set property 'ro.product.model' to 'Other'",
    )
    expect(await out('getprop ro.product.model')).toBe('Svc Sim\n')
  })

  test('settings', async () => {
    expect(await out('settings get global adb_enabled; settings get system none')).toBe('1\nnull\n')
    expect(await out('settings put global x "1 2"; settings get --user 0 global x; settings list global')).toBe(
      '1 2\nadb_enabled=1\nx=1 2\n',
    )
    expect(phone.settings.get('global/x')).toBe('1 2')
    expect(await out('settings delete global x; settings delete global x')).toBe('Deleted 1 rows\nDeleted 0 rows\n')
    expect((await runIn(shell, 'settings get nowhere x')).code).toBe(255)
  })

  test('content query reads the same settings', async () => {
    expect(
      await out('content query --uri content://settings/system --where "name=\'font_scale\'" --projection name:value'),
    ).toBe('Row: 0 name=font_scale, value=1.0\n')
    expect(await out('content query --uri content://settings/global/none')).toBe('No result found.\n')
  })
})
