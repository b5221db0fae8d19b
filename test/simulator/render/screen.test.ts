import { describe, expect, test } from 'vitest'
import type { Bounds } from '../../../src/contracts/device/ui-tree.ts'
import { createRenderer } from '../../../src/simulator/render/screen.ts'
import type { Metrics } from '../../../src/simulator/render/typesetting.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import { createLayouts } from '../../../src/simulator/ui/layout-cache.ts'
import { createUi } from '../../../src/simulator/ui/ui.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { type Picture, readPng } from '../../support/pictures/png-picture.ts'
import { appOf, nodeIn, scenarioOf, tap } from '../../support/simulator/simulated-ui.ts'

const openUi = (scenario = defaultScenario()) => {
  const metrics = scenario.device.size
  const ui = createUi({ scenario, clock: manualClock(), metrics, layouts: createLayouts(), toast: () => {} })
  const { png } = createRenderer(metrics)
  const shot = (overlays = {}) => png({ scene: ui.scene(), overlays })
  return { ui, shot, metrics }
}

const settings = () => {
  const opened = openUi()
  opened.ui.launch('com.android.settings')
  return opened
}

const coloursWithin = (picture: Picture, { left, top, right, bottom }: Bounds): Map<string, number> => {
  const counted = new Map<string, number>()
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) counted.set(picture.at(x, y), (counted.get(picture.at(x, y)) ?? 0) + 1)
  }
  return counted
}

describe('a screenshot', () => {
  test('is a PNG of the size of the screen', () => {
    const { shot, metrics } = settings()
    const picture = readPng(shot())
    expect([picture.width, picture.height]).toEqual([metrics.width, metrics.height])
    expect(picture.colours().size).toBeGreaterThan(5)
  })

  test.each<Metrics>([
    { width: 720, height: 1_281, density: 320 },
    { width: 201, height: 333, density: 160 },
    { width: 1_439, height: 3_119, density: 560 },
  ])('of $width x $height has that size', metrics => {
    const { shot } = openUi(scenarioOf({ ...appOf({ main: { nodes: [{ text: 'a' }] } }), device: { size: metrics } }))
    const picture = readPng(shot())
    expect([picture.width, picture.height]).toEqual([metrics.width, metrics.height])
  })

  test('is the same for the same screen, byte for byte', () => {
    const { ui, shot } = settings()
    const before = shot()
    expect(shot()).toEqual(before)
    ui.key('HOME')
    ui.launch('com.android.settings')
    expect(shot()).toEqual(before)
  })

  test('has the text where the node is, in its colour, and nothing where nothing is', () => {
    const text = { text: 'Hello', color: '#102030', bounds: [100, 1_000, 700, 1_200] }
    const { shot } = openUi(scenarioOf(appOf({ main: { background: '#FAFBFC', nodes: [text] } })))
    const picture = readPng(shot())
    const inside = coloursWithin(picture, { left: 100, top: 1_000, right: 700, bottom: 1_200 })
    expect([...inside.keys()].sort()).toEqual(['#102030', '#fafbfc'])
    expect(inside.get('#102030')).toBeGreaterThan(500)
    const below = coloursWithin(picture, { left: 0, top: 1_200, right: 1_080, bottom: 1_500 })
    expect([...below.keys()]).toEqual(['#fafbfc'])
  })

  test('cuts off what reaches out of a list', () => {
    const rows = Array.from({ length: 30 }, () => ({ text: '', background: '#FF0000', height: 100 }))
    const nodes = [
      { text: '', height: 200 },
      { scrollable: true, height: 300, nodes: rows },
    ]
    const { ui, shot } = openUi(scenarioOf(appOf({ main: { background: '#FFFFFF', nodes } })))
    ui.swipe({ x: 500, y: 900 }, { x: 500, y: 850 }, 300)
    const list = ui.tree().roots[0]?.children[1]?.bounds
    if (!list) throw new Error('there is no list')
    const picture = readPng(shot())
    const red = (y: number) => picture.at(200, y) === '#ff0000'
    expect([red(list.top - 2), red(list.top + 2), red(list.bottom - 2), red(list.bottom + 2)]).toEqual([
      false,
      true,
      true,
      false,
    ])
  })
})

describe('a screenshot changes when', () => {
  test.each<[string, (opened: ReturnType<typeof settings>) => void]>([
    ['the list moves', ({ ui }) => ui.swipe({ x: 500, y: 1_800 }, { x: 500, y: 1_500 }, 300)],
    ['a switch is tapped', ({ ui }) => tap(ui, 'Wi-Fi')],
    ['a field gets the focus', ({ ui }) => tap(ui, 'com.android.settings:id/search')],
    ['another screen opens', ({ ui }) => tap(ui, 'Display')],
    ['the home screen comes', ({ ui }) => ui.key('HOME')],
    ['recent apps are shown', ({ ui }) => ui.key('APP_SWITCH')],
    ['the keyguard comes down', ({ ui }) => ui.setKeyguard('swipe')],
  ])('%s', (_, act) => {
    const opened = settings()
    const before = opened.shot()
    act(opened)
    expect(Buffer.compare(opened.shot(), before)).not.toBe(0)
  })

  test('something is typed', () => {
    const { ui, shot } = settings()
    tap(ui, 'com.android.settings:id/search')
    const empty = shot()
    ui.type('a')
    const typed = shot()
    ui.type('ä漢😀')
    expect(new Set([empty, typed, shot()].map(png => Buffer.from(png).toString('base64'))).size).toBe(3)
  })

  test('something lies over the screen', () => {
    const { shot } = settings()
    const log = {
      ...{ lines: ['one', 'two'], anchor: 'right', textAlign: 'right', topOffsetDp: 100, edgeOffsetDp: 8 },
      ...{ widthDp: 200, fontSizeSp: 12, textColor: '#FF00FF00', backgroundColor: '#80000080' },
    }
    const pictures = [shot(), shot({ toast: 'Hello' }), shot({ log })].map(readPng)
    const [plain, toast, logged] = pictures
    if (!plain || !toast || !logged) throw new Error('there are no pictures')
    expect(toast.colours()).toContain('#303134')
    expect(plain.colours()).not.toContain('#303134')
    expect(logged.colours()).toContain('#00ff00')
    expect(logged.at(1_080 - 60, Math.round((100 * 420) / 160) + 4)).toBe('#000080')
  })

  test('the display goes off', () => {
    const { metrics } = settings()
    expect(readPng(createRenderer(metrics).png(undefined)).colours()).toEqual(new Set(['#000000']))
  })
})

test('every kind of widget is drawn, checked or not, enabled or not', () => {
  const widget = (className: string) => ({ class: className, text: 'it', bounds: [0, 400, 1_080, 700] })
  const pictureOf = (node: object) => openUi(scenarioOf(appOf({ main: { nodes: [node as never] } }))).shot()
  for (const className of ['Switch', 'CheckBox', 'RadioButton']) {
    const [on, off] = [true, false].map(checked => pictureOf({ ...widget(className), checked }))
    expect(on).not.toEqual(off)
  }
  const bare = pictureOf({ bounds: [0, 400, 1_080, 700] })
  for (const node of [widget('Button'), { ...widget('EditText'), hint: 'x' }, { ...widget('SeekBar'), text: '' }]) {
    expect(pictureOf(node)).not.toEqual(bare)
  }
  const [shown, disabled] = [true, false].map(enabled => pictureOf({ ...widget('TextView'), enabled }))
  expect(shown).not.toEqual(disabled)
})

test('where the finger finds a node, the picture shows one', () => {
  const { ui, shot } = settings()
  const { bounds } = nodeIn(ui.tree(), 'Network & internet')
  expect(coloursWithin(readPng(shot()), bounds).size).toBeGreaterThan(1)
})
