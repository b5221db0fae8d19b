import { describe, expect, test } from 'vitest'
import { appOf, nodeIn, tap, textsOf, uiOf } from '../../support/simulator/simulated-ui.ts'

const fieldOf = (more: object = {}) =>
  uiOf(
    appOf({
      main: {
        nodes: [
          { id: 'said', text: 'nothing' },
          { resourceId: 'field', hint: 'Type here', ...more },
          { resourceId: 'other', hint: 'Or here' },
        ],
      },
      done: { nodes: [{ text: 'done' }] },
    }),
  )

const field = (ui: ReturnType<typeof uiOf>) => nodeIn(ui.tree(), 'field')
const keys = (ui: ReturnType<typeof uiOf>, ...names: string[]) => names.map(name => ui.key(name))

describe('a text field', () => {
  test('shows its hint while it is empty', () => {
    const ui = fieldOf()
    expect(field(ui)).toMatchObject({ text: 'Type here', focused: false })
    tap(ui, 'field')
    expect(field(ui)).toMatchObject({ text: 'Type here', focused: true })
    ui.type('a')
    expect(field(ui).text).toBe('a')
    ui.key('DEL')
    expect(field(ui).text).toBe('Type here')
  })

  test('takes text only while it has the focus', () => {
    const ui = fieldOf()
    ui.type('lost')
    tap(ui, 'field')
    ui.type('kept')
    tap(ui, 'other')
    ui.type('elsewhere')
    expect([field(ui).text, nodeIn(ui.tree(), 'other').text]).toEqual(['kept', 'elsewhere'])
    expect(field(ui).focused).toBe(false)
  })

  test('begins with its own text, and the cursor at the end of it', () => {
    const ui = fieldOf({ text: 'ab' })
    tap(ui, 'field')
    ui.type('cd')
    expect(field(ui).text).toBe('abcd')
  })

  test('is edited with keys', () => {
    const ui = fieldOf()
    tap(ui, 'field')
    keys(ui, 'A', 'B', 'SPACE', '1')
    expect(field(ui).text).toBe('ab 1')
    keys(ui, 'DPAD_LEFT', 'DPAD_LEFT', 'DEL')
    expect(field(ui).text).toBe('a 1')
    keys(ui, 'MOVE_HOME', 'FORWARD_DEL', 'X')
    expect(field(ui).text).toBe('x 1')
    keys(ui, 'MOVE_END', 'DEL', 'DEL', 'DEL', 'DEL', 'DEL')
    expect(field(ui).text).toBe('Type here')
  })

  test('deletes whole characters', () => {
    const ui = fieldOf()
    tap(ui, 'field')
    ui.type('a😀')
    ui.key('DEL')
    expect(field(ui).text).toBe('a')
  })

  test('hides a password', () => {
    const ui = fieldOf({ password: true })
    tap(ui, 'field')
    ui.type('secret')
    expect(field(ui)).toMatchObject({ text: '••••••', password: true })
  })

  test('that is disabled takes nothing', () => {
    const ui = fieldOf({ enabled: false })
    tap(ui, 'field')
    ui.type('a')
    expect(field(ui)).toMatchObject({ text: 'Type here', focused: false })
    expect(ui.setText(field(ui), 'a', { append: true, submit: false })).toBe(false)
  })
})

describe('what a scenario says of typing', () => {
  test('reacts to the text', () => {
    const ui = fieldOf({ onText: [{ set: { said: { text: 'you typed {text}' } } }, { when: 'go', goTo: 'done' }] })
    tap(ui, 'field')
    ui.type('g')
    expect(textsOf(ui.tree())).toContain('you typed g')
    ui.type('o')
    expect(textsOf(ui.tree())).toEqual(['done'])
  })

  test('reacts to enter, with the text at hand', () => {
    const ui = fieldOf({ onKey: { ENTER: { set: { said: { text: 'search for {text}' } } } } })
    tap(ui, 'field')
    ui.type('x{uri}')
    ui.key('ENTER')
    expect(textsOf(ui.tree())).toContain('search for x{uri}')
    ui.key('ENTER')
    expect(field(ui).text).toBe('x{uri}')
  })

  test('can replace what was typed', () => {
    const ui = fieldOf({ id: 'field', onKey: { ENTER: { set: { field: { text: '' } } } } })
    tap(ui, 'field')
    ui.type('abc')
    ui.key('ENTER')
    expect(field(ui).text).toBe('Type here')
  })
})

describe('text without keys', () => {
  test('is appended, or replaces, and is submitted', () => {
    const ui = fieldOf({ onKey: { ENTER: { set: { said: { text: 'got {text}' } } } } })
    const put = (text: string, options: { append: boolean; submit: boolean }) => ui.setText(field(ui), text, options)
    expect(put('ab', { append: true, submit: false })).toBe(true)
    expect(put('cd', { append: true, submit: false })).toBe(true)
    expect(field(ui)).toMatchObject({ text: 'abcd', focused: true })
    expect(put('xy', { append: false, submit: true })).toBe(true)
    expect(textsOf(ui.tree())).toContain('got xy')
  })

  test('is refused by what is not a field', () => {
    const ui = fieldOf()
    expect(ui.setText(nodeIn(ui.tree(), 'nothing'), 'a', { append: true, submit: false })).toBe(false)
  })
})
