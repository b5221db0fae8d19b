/** Dialogs, the keyboard and the notification shade: which window is in front, what is seen of it, and what takes a finger. */
import { beforeEach, describe, expect, test } from 'vitest'
import { createPhone, type SimulatedPhone } from '../../../src/simulator/device.ts'
import type { Shell } from '../../../src/simulator/shell/shell.ts'
import { runIn, shellOf } from '../../support/device/shell-run.ts'
import { type ManualClock, manualClock } from '../../support/manual-clock.ts'
import { readPng } from '../../support/pictures/png-picture.ts'
import {
  appOf,
  middleOf,
  nodeIn,
  nodesOf,
  scenarioOf,
  textsOf,
  type Written,
} from '../../support/simulator/simulated-ui.ts'

let phone: SimulatedPhone
let shell: Shell
let clock: ManualClock

const WRITTEN: Written = {
  ...appOf({
    main: {
      activity: '.MainActivity',
      nodes: [
        { text: 'delete', onTap: { goTo: 'ask' } },
        { text: 'pick', onTap: { goTo: 'sheet' } },
        { resourceId: 'field', hint: 'name' },
        { text: 'low', bounds: [0, 2_200, 1_080, 2_300], onTap: { goTo: 'gone' } },
      ],
    },
    ask: {
      dialog: {},
      nodes: [
        { text: 'Delete it?' },
        { class: 'Button', text: 'OK', onTap: { goTo: 'gone' } },
        { class: 'Button', text: 'Cancel', onTap: { back: true } },
      ],
    },
    sheet: { dialog: { at: 'bottom', cancelable: false }, nodes: [{ text: 'Pick one' }, { hint: 'search' }] },
    gone: { nodes: [{ text: 'gone' }] },
    list: {
      nodes: [
        { hint: 'find' },
        {
          scrollable: true,
          nodes: Array.from({ length: 40 }, (_, at) => ({ text: `row ${at}`, onTap: { goTo: 'gone' } })),
        },
      ],
    },
  }),
}

const start = (more: Partial<Written> = {}) => {
  clock = manualClock()
  phone = createPhone({ name: 'sim', serialno: 'SIM', scenario: scenarioOf({ ...WRITTEN, ...more }), clock })
  shell = shellOf(phone, clock)
}
beforeEach(() => start())

const NOTHING = { rotation: 0, roots: [] }
const tree = () => phone.tree() ?? NOTHING
/** What is waited for without a clock has come. */
const settled = () => new Promise(resolve => setImmediate(resolve))
const texts = () => textsOf(tree())
const find = (label: string) => nodeIn(tree(), label)
const tap = (label: string) => phone.tap(middleOf(find(label)))
const dump = async (words: string) => (await runIn(shell, `dumpsys ${words}`)).out
const focus = async () => /mCurrentFocus=(?:Window\{\w+ u0 )?([^}\n]+)/.exec(await dump('window'))?.[1]
const app = async () => /mFocusedApp=ActivityRecord\{\w+ u0 (\S+) /.exec(await dump('window'))?.[1]
const MAIN = 'com.example/com.example.MainActivity'

describe('a dialog', () => {
  test('is a window of its own: what lies below it is not in the dump, and the activity stays', async () => {
    const before = /mCurrentFocus=(\S+)/.exec(await dump('window'))?.[1]
    tap('delete')
    expect(texts()).toEqual(['Delete it?', 'OK', 'Cancel'])
    const [root] = phone.tree()?.roots ?? []
    expect(root?.bounds.left).toBeGreaterThan(0)
    expect(nodesOf(tree()).every(({ bounds }) => bounds.top >= (root?.bounds.top ?? 0))).toBe(true)
    expect([await focus(), await app()]).toEqual([MAIN, 'com.example/.MainActivity'])
    expect(/mCurrentFocus=(\S+)/.exec(await dump('window'))?.[1]).not.toBe(before)
    expect(phone.foreground()).toEqual({ packageName: 'com.example', activity: '.MainActivity' })
  })

  test('takes the taps; one beside it closes it, as does BACK', () => {
    const low = middleOf(find('low'))
    tap('delete')
    phone.tap(low)
    expect(texts()).toContain('delete')
    tap('delete')
    phone.key('BACK')
    expect(texts()).toContain('delete')
    tap('delete')
    tap('Cancel')
    expect(texts()).toContain('delete')
  })

  test('that is not cancelable stays when the finger is beside it', () => {
    tap('pick')
    phone.tap({ x: 540, y: 300 })
    expect(texts()).toEqual(['Pick one', 'search'])
    const [root] = phone.tree()?.roots ?? []
    expect(root?.bounds).toMatchObject({ left: 0, right: 1_080 })
    phone.key('BACK')
    expect(texts()).toContain('pick')
  })

  test('is gone when it leads somewhere', () => {
    tap('delete')
    tap('OK')
    expect(texts()).toEqual(['gone'])
    phone.key('BACK')
    expect(texts()).toContain('delete')
  })

  test('is drawn over what lies below it, which is darker', () => {
    const plain = readPng(phone.screenshot())
    tap('delete')
    const over = readPng(phone.screenshot())
    expect([plain.at(10, 1_500), over.at(10, 1_500)]).toEqual(['#f8f9fc', '#7c7d7e'])
    const { x, y } = middleOf(find('Delete it?'))
    expect(over.at(x + 300, y)).toBe('#f8f9fc')
  })
})

describe('the keyboard', () => {
  const isShown = async () => /mInputShown=(\w+)/.exec(await dump('input_method'))?.[1]
  const frame = async () => /type=ime frame=(\S+) visible=(\w+)/.exec(await dump('window'))?.slice(1)

  test('comes up when a finger gives a field the focus, and the system says so', async () => {
    expect([await isShown(), await frame()]).toEqual(['false', ['[0,2400][1080,2400]', 'false']])
    tap('field')
    expect([await isShown(), await frame()]).toEqual(['true', ['[0,1665][1080,2400]', 'true']])
    expect(await dump('window windows')).toMatch(
      /Window\{\w+ u0 InputMethod\}:\n.*package=com\.android\.inputmethod\.latin/,
    )
    expect(await focus()).toBe(MAIN)
    expect(readPng(phone.screenshot()).at(20, 2_390)).toBe('#d5d9e0')
  })

  test('goes with BACK, and only the next BACK goes back', async () => {
    tap('field')
    phone.key('BACK')
    expect([await isShown(), texts().length]).toEqual(['false', 4])
    phone.key('BACK')
    expect(phone.foreground().packageName).toBe('com.android.launcher3')
  })

  test('takes the taps and the swipes that land on it', () => {
    const low = middleOf(find('low'))
    tap('field')
    phone.tap(low)
    phone.swipe(low, { x: low.x, y: 100 }, 100)
    expect(texts()).toContain('low')
    phone.key('BACK')
    phone.tap(low)
    expect(texts()).toEqual(['gone'])
  })

  test('goes at the end of typing and with its screen, and typing goes on without it', async () => {
    tap('field')
    phone.key('ENTER')
    expect(await isShown()).toBe('false')
    phone.type('x')
    expect(find('field').text).toBe('x')
    tap('field')
    tap('delete')
    expect(await isShown()).toBe('false')
    phone.key('BACK')
    expect(await isShown()).toBe('false')
  })

  test('leaves a screen with a list the room above it', () => {
    start({ apps: WRITTEN.apps.map(one => ({ ...one, start: 'list' })) })
    const rows = () => texts().filter(text => text.startsWith('row')).length
    const before = rows()
    tap('find')
    expect(rows()).toBeLessThan(before)
    expect(
      nodesOf(tree())
        .slice(1)
        .every(({ bounds }) => bounds.bottom <= 1_665),
    ).toBe(true)
    phone.swipe({ x: 500, y: 1_500 }, { x: 500, y: 500 }, 100)
    expect(texts()).not.toContain('row 0')
  })

  test('lifts a dialog', () => {
    tap('pick')
    tap('search')
    const [root] = phone.tree()?.roots ?? []
    expect(root?.bounds.bottom).toBe(1_665)
  })

  test('does not come up for what an accessibility service does, nor on a phone with keys of its own', async () => {
    tap('delete')
    phone.key('BACK')
    start({ device: { keyboard: false } })
    tap('field')
    expect(await isShown()).toBe('false')
  })
})

describe('the notification shade', () => {
  const SHADE = 'NotificationShade'

  test('opens by command and by a swipe from the top edge, over the app that keeps the focus of apps', async () => {
    await runIn(shell, 'cmd statusbar expand-notifications')
    expect([await focus(), await app()]).toEqual([SHADE, 'com.example/.MainActivity'])
    expect(phone.foreground().packageName).toBe('com.android.systemui')
    expect(nodesOf(tree()).every(({ packageName }) => packageName === 'com.android.systemui')).toBe(true)
    await runIn(shell, 'cmd statusbar collapse')
    expect(await focus()).toBe(MAIN)
    const opening = runIn(shell, 'input swipe 540 5 540 1200 10')
    await settled()
    clock.advance(10)
    await opening
    expect(await focus()).toBe(SHADE)
  })

  test.each<[string, () => void, string]>([
    ['BACK', () => void phone.key('BACK'), MAIN],
    ['HOME', () => void phone.key('HOME'), 'com.android.launcher3/com.android.launcher3.uioverrides.QuickstepLauncher'],
    ['a swipe up', () => phone.swipe({ x: 500, y: 2_000 }, { x: 500, y: 500 }, 100), MAIN],
  ])('closes with %s', async (_, act, window) => {
    phone.setShade(true)
    act()
    expect(await focus()).toBe(window)
  })

  test('hides the keyboard and takes the taps', () => {
    const low = middleOf(find('low'))
    tap('field')
    phone.setShade(true)
    phone.tap(low)
    phone.setShade(false)
    expect(texts()).toContain('low')
    expect(phone.windows().some(window => 'title' in window && window.title === 'InputMethod')).toBe(false)
  })

  test('keeps what is switched in it, and opens only for a swipe that goes down', () => {
    phone.swipe({ x: 100, y: 5 }, { x: 900, y: 60 }, 100)
    expect(texts()).toContain('delete')
    phone.setShade(true)
    tap('Bluetooth')
    phone.key('BACK')
    phone.swipe({ x: 500, y: 5 }, { x: 520, y: 900 }, 100)
    expect(find('Bluetooth').checked).toBe(true)
  })

  test('does not open over the keyguard', () => {
    phone.sleep()
    phone.wake()
    phone.setShade(true)
    expect(phone.isLocked()).toBe(true)
    phone.dismissKeyguard()
    expect(texts()).toContain('delete')
  })
})

test('what the system says of windows is not a reading of the screen', async () => {
  start(appOf({ main: { rotation: 1, nodes: [{ text: 'late', appearsAfter: { reads: 1 } }] } }))
  expect(await dump('window')).toContain('mCurrentRotation=ROTATION_90')
  expect([texts(), texts()]).toEqual([[], ['late']])
})

describe('durations of a device', () => {
  test('a dump takes its time, and waits for the way from one screen to the next', async () => {
    start({ device: { durations: { dump: 100, transition: 400 } } })
    tap('delete')
    clock.advance(150)
    const dumping = runIn(shell, 'uiautomator dump /dev/tty')
    let isDone = false
    void dumping.then(() => {
      isDone = true
    })
    await settled()
    clock.advance(349)
    await settled()
    expect(isDone).toBe(false)
    clock.advance(1)
    expect((await dumping).out).toContain('Delete it?')
  })
})
