import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import { createLayouts } from '../../../src/simulator/ui/layout-cache.ts'
import { createUi, type Ui } from '../../../src/simulator/ui/ui.ts'
import { middleOf, nodeIn, nodesOf, tap, textsOf } from '../../support/simulator/simulated-ui.ts'

const SETTINGS = 'com.android.settings'
const scenario = defaultScenario()

const openUi = (): Ui => {
  const metrics = scenario.device.size
  return createUi({ scenario, clock: systemClock(), metrics, layouts: createLayouts(), toast: () => {} })
}

const settings = (): Ui => {
  const ui = openUi()
  ui.launch(SETTINGS)
  return ui
}

const scrollOn = (ui: Ui) => {
  const { x, y } = middleOf(nodeIn(ui.tree(), `${SETTINGS}:id/list`))
  ui.swipe({ x, y: y + 500 }, { x, y: y - 500 }, 300)
}

const scrollTo = (ui: Ui, text: string) => {
  for (let i = 0; i < 20 && !textsOf(ui.tree()).includes(text); i += 1) scrollOn(ui)
  return nodeIn(ui.tree(), text)
}

const rowTitles = (ui: Ui) =>
  nodesOf(ui.tree()).flatMap(({ resourceId, text }) => (resourceId === 'android:id/title' ? [text] : []))

describe('the launcher', () => {
  test('is in front, with an icon that opens Settings', () => {
    const ui = openUi()
    expect(ui.foreground().packageName).toBe('com.android.launcher3')
    expect(textsOf(ui.tree()).filter(text => text === 'Settings')).toHaveLength(1)
    tap(ui, 'Settings')
    expect(ui.foreground()).toEqual({ packageName: SETTINGS, activity: '.Settings' })
  })
})

describe('Settings', () => {
  test('shows a title, a search field, a switch and a list', () => {
    const tree = settings().tree()
    expect(nodeIn(tree, 'Settings')).toMatchObject({ className: 'android.widget.TextView', packageName: SETTINGS })
    const field = { className: 'android.widget.EditText', clickable: true, focusable: true, password: false }
    expect(nodeIn(tree, `${SETTINGS}:id/search`)).toMatchObject(field)
    const wifi = { text: 'Wi-Fi', className: 'android.widget.Switch', checkable: true, checked: true, clickable: true }
    expect(nodeIn(tree, `${SETTINGS}:id/wifi_switch`)).toMatchObject(wifi)
    expect(nodeIn(tree, `${SETTINGS}:id/list`)).toMatchObject({ scrollable: true })
  })

  test('the switch changes with each tap', () => {
    const ui = settings()
    const isOn = () => nodeIn(ui.tree(), `${SETTINGS}:id/wifi_switch`).checked
    expect(isOn()).toBe(true)
    tap(ui, 'Wi-Fi')
    expect(isOn()).toBe(false)
    tap(ui, 'Wi-Fi')
    expect(isOn()).toBe(true)
  })

  test('the field takes what is typed', () => {
    const ui = settings()
    tap(ui, `${SETTINGS}:id/search`)
    ui.type('battery')
    expect(nodeIn(ui.tree(), `${SETTINGS}:id/search`)).toMatchObject({ text: 'battery', focused: true })
  })

  test('the list begins with Network & internet, ends with About phone and has 30 rows or more', () => {
    const ui = settings()
    expect(rowTitles(ui)[0]).toBe('Network & internet')
    const seen = new Set(rowTitles(ui))
    for (let i = 0; i < 20; i += 1) {
      scrollOn(ui)
      for (const title of rowTitles(ui)) seen.add(title)
    }
    expect(seen.size).toBeGreaterThanOrEqual(30)
    expect([...seen].at(-1)).toBe('About phone')
    expect(rowTitles(ui).at(-1)).toBe('About phone')
  })

  test('Battery is below the fold, with 87% beside it', () => {
    const ui = settings()
    expect(textsOf(ui.tree())).not.toContain('Battery')
    expect(textsOf(ui.tree())).not.toContain('87%')
    const label = scrollTo(ui, 'Battery').bounds
    const value = nodeIn(ui.tree(), '87%').bounds
    expect(value.left).toBeGreaterThanOrEqual(label.right)
    expect(Math.min(value.bottom, label.bottom)).toBeGreaterThan(Math.max(value.top, label.top))
  })

  test('About phone opens a screen with the Android version and the model', () => {
    const ui = settings()
    ui.tap(middleOf(scrollTo(ui, 'About phone')))
    const texts = textsOf(ui.tree())
    expect(texts[0]).toBe('About phone')
    expect(texts[texts.indexOf('Android version') + 1]).toBe('15')
    expect(texts[texts.indexOf('Model') + 1]).toBe('Svc Sim')
    ui.key('BACK')
    expect(rowTitles(ui).at(-1)).toBe('About phone')
    ui.tap(middleOf(nodeIn(ui.tree(), 'About phone')))
    tap(ui, 'Navigate up')
    expect(nodeIn(ui.tree(), 'Settings').packageName).toBe(SETTINGS)
  })

  test('every row opens a screen of its own name', () => {
    const ui = settings()
    tap(ui, 'Display')
    expect(textsOf(ui.tree())[0]).toBe('Display')
  })
})

test('uris open apps, unknown ones open nothing', () => {
  const ui = openUi()
  const view = (data: string) => ui.start({ action: 'android.intent.action.VIEW', data, extras: {} })
  expect(view('https://example.com/a?b=c')).toBe(true)
  expect(nodeIn(ui.tree(), 'com.android.chrome:id/url_bar').text).toBe('https://example.com/a?b=c')
  expect(view('tel:123')).toBe(true)
  expect(ui.foreground().packageName).toBe('com.android.dialer')
  expect(view('nobody://opens.this')).toBe(false)
  expect(ui.foreground().packageName).toBe('com.android.dialer')
})
