import { describe, expect, test } from 'vitest'
import type { Intent } from '../../../src/simulator/phone-parts.ts'
import { scenarioOf, tap, textsOf, uiOf, type Written } from '../../support/simulator/simulated-ui.ts'

const written: Written = {
  front: 'com.one',
  apps: [
    {
      package: 'com.one',
      label: 'One',
      intents: [
        { action: 'one.SHOW', goTo: 'b' },
        { uri: 'one://*/end', goTo: 'c', set: { seen: { text: '{uri}' } } },
      ],
      screens: {
        a: { activity: '.A', nodes: [{ text: 'a' }, { text: 'to b', onTap: { goTo: 'b' } }] },
        b: { activity: '.B', nodes: [{ text: 'b' }, { text: 'to c', onTap: { back: true, goTo: 'c' } }] },
        c: { nodes: [{ text: 'c', id: 'seen' }], onKey: { BACK: { set: { seen: { text: 'stays' } } } } },
      },
    },
    { package: 'com.two', label: 'Two', intents: [{ uri: 'two:*' }], screens: { main: { nodes: [{ text: 'two' }] } } },
  ],
}
const open = () => uiOf(written)
const ofFront = (ui: ReturnType<typeof uiOf>) => ui.foreground().packageName
const HOME = 'com.android.launcher3'

describe('back', () => {
  test('goes through the screens of an app, then home', () => {
    const ui = open()
    tap(ui, 'to b')
    expect(ui.foreground()).toEqual({ packageName: 'com.one', activity: '.B' })
    ui.key('BACK')
    expect(textsOf(ui.tree())).toContain('a')
    ui.key('BACK')
    expect(ofFront(ui)).toBe(HOME)
    ui.key('BACK')
    expect(ofFront(ui)).toBe(HOME)
  })

  test('does what the screen says instead', () => {
    const ui = open()
    tap(ui, 'to b')
    tap(ui, 'to c')
    ui.key('BACK')
    expect(textsOf(ui.tree())).toEqual(['stays'])
  })
})

describe('home, icons and recent apps', () => {
  test('an icon brings an app back as it was left', () => {
    const ui = open()
    tap(ui, 'to b')
    ui.key('HOME')
    expect(ofFront(ui)).toBe(HOME)
    tap(ui, 'One')
    expect(textsOf(ui.tree())).toContain('b')
  })

  test('recent apps are listed, the last one first, and open as they were left', () => {
    const ui = open()
    tap(ui, 'to b')
    ui.launch('com.two')
    ui.key('APP_SWITCH')
    expect(textsOf(ui.tree())).toEqual(['Recent apps', 'Two', 'One'])
    tap(ui, 'One')
    expect(textsOf(ui.tree())).toContain('b')
    ui.key('APP_SWITCH')
    ui.key('BACK')
    expect(textsOf(ui.tree())).toContain('b')
    ui.key('APP_SWITCH')
    ui.key('HOME')
    expect(ofFront(ui)).toBe(HOME)
  })

  test('an app that is stopped is gone from there', () => {
    const ui = open()
    ui.launch('com.two')
    ui.stop('com.two')
    expect(ofFront(ui)).toBe(HOME)
    ui.key('APP_SWITCH')
    expect(textsOf(ui.tree())).toEqual(['Recent apps', 'One'])
  })
})

describe('launching', () => {
  test('opens the start screen, whatever was open', () => {
    const ui = open()
    tap(ui, 'to b')
    expect(ui.launch('com.one')).toBe(true)
    expect(textsOf(ui.tree())).toContain('a')
    ui.key('BACK')
    expect(ofFront(ui)).toBe(HOME)
  })

  test('of what is not installed does nothing', () => {
    const ui = open()
    expect(ui.launch('com.three')).toBe(false)
    ui.stop('com.three')
    expect(ofFront(ui)).toBe('com.one')
  })
})

describe('intents', () => {
  const VIEW = 'android.intent.action.VIEW'
  const MAIN = 'android.intent.action.MAIN'
  test.each<[string, Omit<Intent, 'extras'>, string | undefined]>([
    ['an action', { action: 'one.SHOW' }, 'b'],
    ['an action with data it does not take', { action: 'one.SHOW', data: 'x:y' }, undefined],
    ['an unknown action', { action: 'one.HIDE' }, undefined],
    ['a uri that fits', { action: VIEW, data: 'one://x/end' }, 'one://x/end'],
    ['a uri without action', { data: 'two:x' }, 'two'],
    ['a uri that does not fit', { action: VIEW, data: 'one://x/ending' }, undefined],
    ['a uri for another app', { action: VIEW, data: 'two:x', packageName: 'com.one' }, undefined],
    ['a package', { action: MAIN, packageName: 'com.two' }, 'two'],
    ['a package that is not there', { action: MAIN, packageName: 'com.three' }, undefined],
    ['a component', { component: 'com.one/.B' }, 'b'],
    ['a component in full', { component: 'com.one/com.one.A' }, 'a'],
    ['a component named after its screen', { component: 'com.one/.CActivity' }, 'c'],
    ['a component that is not there', { component: 'com.one/.X' }, undefined],
    ['nothing', {}, undefined],
  ])('%s', (_, intent, text) => {
    const ui = open()
    ui.key('HOME')
    expect(ui.start({ ...intent, extras: {} })).toBe(text !== undefined)
    if (text === undefined) expect(ofFront(ui)).toBe(HOME)
    else expect(textsOf(ui.tree())).toContain(text)
  })
})

describe('the keyguard', () => {
  test('covers everything until it is gone', () => {
    const ui = open()
    ui.setKeyguard('secure')
    expect(ofFront(ui)).toBe('com.android.systemui')
    ui.key('BACK')
    ui.key('HOME')
    ui.swipe({ x: 500, y: 2_000 }, { x: 500, y: 500 }, 300)
    expect(ui.keyguard()).toBe('secure')
    ui.setKeyguard('none')
    expect(textsOf(ui.tree())).toContain('a')
  })

  test('without a lock goes with a swipe up', () => {
    const ui = open()
    ui.setKeyguard('swipe')
    ui.swipe({ x: 500, y: 500 }, { x: 500, y: 2_000 }, 300)
    expect(ui.keyguard()).toBe('swipe')
    ui.swipe({ x: 500, y: 2_000 }, { x: 500, y: 500 }, 300)
    expect(ui.keyguard()).toBe('none')
  })
})

test('a key that no phone has is refused', () => {
  const ui = open()
  expect([ui.key('BACK'), ui.key('VOLUME_UP'), ui.key('CODE_300'), ui.key('NOSUCHKEY')]).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('the scenario stays as it was, however much is done on one phone', () => {
  const scenario = scenarioOf(written)
  const before = JSON.stringify(scenario.apps)
  const ui = open()
  tap(ui, 'to b')
  expect(JSON.stringify(scenario.apps)).toBe(before)
})
