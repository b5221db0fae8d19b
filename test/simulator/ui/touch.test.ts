import { describe, expect, test } from 'vitest'
import { appOf, middleOf, nodeIn, tap, textsOf, uiOf } from '../../support/simulator/simulated-ui.ts'

const screenOf = (...nodes: object[]) =>
  uiOf(appOf({ main: { nodes: nodes as [] }, other: { nodes: [{ text: 'other' }] } }))
const says = (text: string) => ({ set: { log: { text } } })
const log = { id: 'log', text: 'nothing' }

describe('a tap', () => {
  test('goes to the nearest node around that can be tapped', () => {
    const ui = screenOf(log, { onTap: says('row'), nodes: [{ text: 'label' }] })
    tap(ui, 'label')
    expect(textsOf(ui.tree())).toContain('row')
  })

  test('goes to what lies on top', () => {
    const ui = screenOf(
      log,
      { text: 'below', bounds: [0, 1000, 500, 1500], onTap: says('below') },
      { text: 'above', bounds: [100, 1100, 400, 1400], onTap: says('above') },
    )
    ui.tap({ x: 250, y: 1250 })
    expect(textsOf(ui.tree())).toContain('above')
    ui.tap({ x: 50, y: 1050 })
    expect(nodeIn(ui.tree(), 'below')).toBeDefined()
  })

  test('does nothing beside everything, on what cannot be tapped, and on what is disabled', () => {
    const ui = screenOf(log, { text: 'plain' }, { text: 'off', enabled: false, onTap: says('off') })
    for (const point of [
      { x: 5, y: 2300 },
      { x: -4, y: 9_999 },
    ])
      ui.tap(point)
    tap(ui, 'plain')
    tap(ui, 'off')
    expect(textsOf(ui.tree())).toEqual(['nothing', 'plain', 'off'])
  })

  test('changes, then goes', () => {
    const ui = screenOf(log, { text: 'go', onTap: { goTo: 'other', ...says('went'), toast: 'bye' } })
    tap(ui, 'go')
    expect(textsOf(ui.tree())).toEqual(['other'])
    expect(ui.toasts).toEqual(['bye'])
    ui.key('BACK')
    expect(textsOf(ui.tree())).toEqual(['went', 'go'])
  })
})

describe('a check mark', () => {
  const isOn = (ui: ReturnType<typeof uiOf>, label: string) => nodeIn(ui.tree(), label).checked

  test.each(['Switch', 'CheckBox', 'ToggleButton'])('of a %s changes with each tap', className => {
    const ui = screenOf({ text: 'it', class: className })
    tap(ui, 'it')
    expect(isOn(ui, 'it')).toBe(true)
    tap(ui, 'it')
    expect(isOn(ui, 'it')).toBe(false)
  })

  test('of a radio button stays', () => {
    const ui = screenOf({ text: 'it', class: 'RadioButton' })
    tap(ui, 'it')
    tap(ui, 'it')
    expect(isOn(ui, 'it')).toBe(true)
  })

  test('can be that of another node, and changes once when a node names itself', () => {
    const ui = screenOf(
      { text: 'row', onTap: { toggle: 'it' } },
      { text: 'it', id: 'it', checked: true },
      { text: 'self', id: 'self', checked: false, onTap: { toggle: 'self' } },
    )
    tap(ui, 'row')
    tap(ui, 'self')
    expect([isOn(ui, 'it'), isOn(ui, 'self')]).toEqual([false, true])
  })

  test('stays when the screen is left and opened again', () => {
    const ui = screenOf({ text: 'it', checked: false })
    tap(ui, 'it')
    ui.launch('com.example')
    expect(isOn(ui, 'it')).toBe(true)
  })
})

describe('a long press', () => {
  test('does what is said, and no tap', () => {
    const ui = screenOf(log, { text: 'it', onTap: says('tapped'), onLongPress: says('held') })
    ui.longPress(middleOf(nodeIn(ui.tree(), 'it')))
    expect(textsOf(ui.tree())).toContain('held')
  })

  test('on what cannot be held is a tap', () => {
    const ui = screenOf(log, { text: 'it', onTap: says('tapped') })
    ui.longPress(middleOf(nodeIn(ui.tree(), 'it')))
    expect(textsOf(ui.tree())).toContain('tapped')
  })

  test('is also a finger that rests', () => {
    const ui = screenOf(log, { text: 'it', onTap: says('tapped'), onLongPress: says('held') })
    const point = middleOf(nodeIn(ui.tree(), 'it'))
    ui.swipe(point, { x: point.x + 3, y: point.y }, 800)
    expect(textsOf(ui.tree())).toContain('held')
    ui.swipe(point, point, 50)
    expect(textsOf(ui.tree())).toContain('tapped')
  })
})

describe('a click without a finger', () => {
  test('goes to the very node, whatever lies over it', () => {
    const ui = screenOf(
      log,
      { text: 'below', bounds: [100, 1000, 400, 1300], onTap: says('clicked') },
      { text: 'above', bounds: [100, 1000, 400, 1300], onTap: says('wrong'), class: 'Button' },
    )
    expect(ui.click(nodeIn(ui.tree(), 'below'), 'default')).toBe(true)
    expect(textsOf(ui.tree())).toContain('clicked')
  })

  test('is refused by what does not take it, is disabled or is gone', () => {
    const ui = screenOf(
      { text: 'plain' },
      { text: 'off', enabled: false, onTap: { goTo: 'other' } },
      { text: 'go', onTap: { goTo: 'other' } },
    )
    const [plain, off, go] = ['plain', 'off', 'go'].map(text => nodeIn(ui.tree(), text))
    if (!plain || !off || !go) throw new Error('the screen is not as written')
    expect(ui.click(plain, 'default')).toBe(false)
    expect(ui.click(plain, 'long_click')).toBe(false)
    expect(ui.click(plain, 'focus')).toBe(false)
    expect(ui.click(off, 'default')).toBe(false)
    expect(ui.click(go, 'focus')).toBe(true)
    expect(nodeIn(ui.tree(), 'go').focused).toBe(true)
    expect(ui.click(go, 'default')).toBe(true)
    expect(ui.click(go, 'default')).toBe(false)
  })
})
