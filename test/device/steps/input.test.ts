import { describe, expect, test } from 'vitest'
import { KEYS } from '../../../src/contracts/json/literals.ts'
import type { Cover } from '../../../src/device/screen/tap-point.ts'
import { node, screen } from '../../support/device/fake-ui-driver.ts'
import { act } from '../screen/act.ts'

const field = node({ resourceId: 'field', className: 'android.widget.EditText' })
const tree = () =>
  screen(node({ resourceId: 'frame', children: [node({ text: 'Name' }), field] }), node({ text: 'other' }))

describe('enter_text', () => {
  test('types into the matched field', async () => {
    const { data, driver } = await act(
      { type: 'enter_text', params: { matcher: { resourceId: 'field' }, text: 'Ä & b' } },
      { ui: { tree } },
    )
    expect(data).toEqual({ text: 'Ä & b', submit: 'false', text_length: '5' })
    expect(driver.deeds()).toEqual([['enterText', 'field', 'Ä & b', { append: false, submit: false }]])
  })

  test('hands on append and submit', async () => {
    const params = { matcher: { resourceId: 'field' }, text: 'x', append: true, submit: true }
    const { data, driver } = await act({ type: 'enter_text', params }, { ui: { tree } })
    expect(data).toEqual({ text: 'x', submit: 'true', text_length: '1' })
    expect(driver.deeds()).toEqual([['enterText', 'field', 'x', { append: true, submit: true }]])
  })

  test.each([
    { matched: 'frame', typedInto: 'field' },
    { matched: 'other', typedInto: 'other' },
  ])('of $matched, text goes into $typedInto', async ({ matched, typedInto }) => {
    const matcher = matched === 'frame' ? { resourceId: 'frame' } : { textEquals: matched }
    const { driver } = await act({ type: 'enter_text', params: { matcher, text: 'x' } }, { ui: { tree } })
    expect(driver.deeds()[0]?.[1]).toBe(typedInto)
  })

  test('a field that lies below something else is not typed into, for what is typed would go there', async () => {
    const cover: Cover = { kind: 'window', name: 'a dialog', bounds: { left: 0, top: 0, right: 1_000, bottom: 1_000 } }
    const params = { matcher: { resourceId: 'field' }, text: 'x' }
    const { data, driver } = await act({ type: 'enter_text', params }, { ui: { tree, covers: () => [cover] } })
    expect(data).toMatchObject({ error: 'ACTION_FAILED', message: expect.stringContaining('a dialog') })
    expect(driver.deeds()).toEqual([])
  })

  test.each([
    ['android.widget.Switch', 'the node is not a text field: its role is switch'],
    ['com.example.Chart', 'the node is not a text field: its class is com.example.Chart'],
  ])('says of a %s that it is not a text field', async (className, message) => {
    const ui = { tree: () => screen(node({ resourceId: 'wifi', className })), refused: new Set(['enterText']) }
    const params = { matcher: { resourceId: 'wifi' }, text: 'x' }
    const { data, error } = await act({ type: 'enter_text', params }, { ui })
    expect(data).toEqual({ error: 'ACTION_FAILED', message })
    expect(error).toMatchObject({ hint: expect.stringContaining('Name the field that the text is for') })
  })

  test('names a missing node, after the retries', async () => {
    const params = { matcher: { role: 'switch', textContains: 'q' }, text: 'x', retry: { maxAttempts: 2 } }
    const { data, driver } = await act({ type: 'enter_text', params }, { ui: { tree } })
    expect(data).toEqual({
      error: 'NODE_NOT_FOUND',
      message: 'No UI node found matching criteria role=switch, textContains=q',
    })
    expect(driver.calls).toEqual([['tree'], ['tree']])
  })

  test('never types twice, whatever the retries', async () => {
    const params = { matcher: { resourceId: 'field' }, text: 'x', retry: { maxAttempts: 5 } }
    const { data, driver } = await act(
      { type: 'enter_text', params },
      { ui: { tree, refused: new Set(['enterText']) } },
    )
    expect(data).toMatchObject({ error: 'ACTION_FAILED' })
    expect(driver.deeds()).toHaveLength(1)
  })
})

describe('enter_text without a matcher', () => {
  const focused = (more: object) =>
    node({ resourceId: 'focused', className: 'android.widget.EditText', focused: true, ...more })
  const enter = (...nodes: Parameters<typeof screen>) =>
    act(
      { type: 'enter_text', params: { text: 'x', submit: true } },
      { ui: { tree: () => screen(...nodes), covers: () => [] } },
    )

  test('types into the field that has the focus, wherever it is, and touches nothing', async () => {
    const inner = node({ className: 'android.widget.FrameLayout', focused: true, children: [field, focused({})] })
    const { data, driver } = await enter(node({ text: 'a' }), inner)
    expect(data).toEqual({ text: 'x', submit: 'true', text_length: '1' })
    expect(driver.deeds()).toEqual([['enterText', 'focused', 'x', { append: false, submit: true, point: undefined }]])
  })

  test.each([
    ['no node has it', node({ text: 'a' })],
    ['a field is there that has not got it', field],
    ['a button has it', node({ className: 'android.widget.Button', focused: true })],
    ['the field that has it is off the screen', focused({ at: [0, 0, 0, 0] })],
  ])('says that no field has the focus where %s', async (_, there) => {
    const { data, error, driver } = await enter(there)
    expect(data).toMatchObject({
      error: 'NODE_NOT_FOUND',
      message: expect.stringContaining('no text field has the focus'),
    })
    expect(error).toMatchObject({ hint: 'Tap the field first, or say with a selector which field the text is for.' })
    expect(driver.deeds()).toEqual([])
  })

  test('looks again for the focus as often as it is told', async () => {
    let looks = 0
    const tree = () => (++looks < 3 ? screen(field) : screen(focused({})))
    const { data } = await act(
      { type: 'enter_text', params: { text: 'x', retry: { maxAttempts: 3 } } },
      { ui: { tree } },
    )
    expect(data).toMatchObject({ text_length: '1' })
    expect(looks).toBe(3)
  })
})

describe('press_key', () => {
  test.each(KEYS)('presses %s', async key => {
    const { data, driver } = await act({ type: 'press_key', params: { key: key.toUpperCase() } })
    expect(data).toEqual({ key })
    expect(driver.deeds()).toEqual([['pressKey', key]])
  })

  test('says when the system refuses', async () => {
    const ui = { refused: new Set(['pressKey']) }
    const { data } = await act({ type: 'press_key', params: { key: 'home' } }, { ui })
    expect(data).toEqual({ error: 'GLOBAL_ACTION_FAILED', message: 'the system refused the key home' })
  })
})

const windowTree = () =>
  screen(
    node({
      resourceId: 'window',
      longClickable: true,
      focusable: true,
      children: [
        node({
          resourceId: 'row',
          clickable: true,
          children: [node({ text: 'Title' }), node({ text: 'Off', enabled: false })],
        }),
        node({ text: 'Save', clickable: true, longClickable: true, focusable: true }),
        node({ text: 'Locked', clickable: true, enabled: false }),
        node({ text: 'Loose' }),
      ],
    }),
  )

const click = (params: object, ui: object = {}) =>
  act({ type: 'click', params } as Parameters<typeof act>[0] & object, { ui: { tree: windowTree, ...ui } })

describe('click', () => {
  test.each([
    { textEquals: 'Save', clickType: 'default', receiver: 'Save' },
    { textEquals: 'Title', clickType: 'default', receiver: 'row' },
    { textEquals: 'Off', clickType: 'default', receiver: 'row' },
    { textEquals: 'Save', clickType: 'long_click', receiver: 'Save' },
    { textEquals: 'Title', clickType: 'long_click', receiver: 'window' },
    { textEquals: 'Save', clickType: 'focus', receiver: 'Save' },
    { textEquals: 'Title', clickType: 'focus', receiver: 'window' },
  ])('$clickType on $textEquals reaches $receiver', async ({ textEquals, clickType, receiver }) => {
    const { data, driver } = await click({ matcher: { textEquals }, clickType })
    expect(data).toEqual({ click_type: clickType })
    expect(driver.deeds()).toEqual([['click', receiver, clickType]])
  })

  test('is a plain click by default', async () => {
    expect((await click({ matcher: { textEquals: 'Save' } })).data).toEqual({ click_type: 'default' })
  })

  test('names a missing node', async () => {
    const { data, error } = await click({ matcher: { textEquals: 'Sav' } })
    expect(data).toEqual({ error: 'NODE_NOT_FOUND', message: 'No UI node found matching criteria textEquals=Sav' })
    expect(error).toEqual({
      code: 'NODE_NOT_FOUND',
      message: 'Step "a" (click) failed: No UI node found matching criteria textEquals=Sav.',
      details: { actionId: 'a', actionType: 'click' },
    })
  })

  test('does not call a node missing when the screen cannot be seen', async () => {
    const { data } = await click({ matcher: { textEquals: 'Save' } }, { tree: () => undefined })
    expect(data).toEqual({ error: 'SNAPSHOT_HIERARCHY_UNAVAILABLE', message: 'the window returned no hierarchy' })
  })

  test('reaches a node that nothing clickable is around', async () => {
    const { driver } = await click({ matcher: { textEquals: 'Loose' } })
    expect(driver.deeds()).toEqual([['click', 'Loose', 'default']])
  })

  test('does not click what is disabled', async () => {
    const { data, driver } = await click({ matcher: { textEquals: 'Locked' } })
    expect(data).toEqual({
      error: 'NODE_NOT_CLICKABLE',
      message: 'the node that matches textEquals=Locked is disabled',
    })
    expect(driver.deeds()).toEqual([])
  })

  test.each(['default', 'long_click'])('says when the system refuses a %s', async clickType => {
    const { data } = await click({ matcher: { textEquals: 'Save' }, clickType }, { refused: new Set(['click']) })
    expect(data).toMatchObject({ error: 'GESTURE_FAILED' })
  })

  test.each(['default', 'long_click'])('on a coordinate touches there, %s', async clickType => {
    const { data, driver } = await click({ coordinate: { x: 3, y: 0 }, clickType })
    expect(data).toEqual({ click_type: clickType })
    expect(driver.calls).toEqual([['tap', { x: 3, y: 0 }, clickType]])
  })

  test('on a coordinate says when the system refuses', async () => {
    const { data } = await click({ coordinate: { x: 3, y: 0 } }, { refused: new Set(['tap']) })
    expect(data).toEqual({ error: 'GESTURE_FAILED', message: 'the system refused the default at 3,0' })
  })

  test.each(['retry', 'clickRetry'])('%s looks again before it clicks again', async key => {
    let looks = 0
    const later = () => (++looks < 3 ? screen(node({ text: 'Save', enabled: false })) : windowTree())
    const params = {
      matcher: { textEquals: 'Save' },
      [key]: { maxAttempts: 3, initialDelayMs: 400, backoffMultiplier: 2 },
    }
    const { data, elapsedMs } = await click(params, { tree: later })
    expect(data).toEqual({ click_type: 'default' })
    expect(looks).toBe(3)
    expect(elapsedMs).toBe(1_200)
  })
})

describe('swipe', () => {
  const points = { start: { x: 1, y: 2 }, end: { x: 3, y: 4 } }

  test.each([
    { given: {}, ms: 300 },
    { given: { durationMs: 10_000 }, ms: 10_000 },
  ])('takes $ms ms', async ({ given, ms }) => {
    const { data, driver } = await act({ type: 'swipe', params: { ...points, ...given } })
    expect(data).toEqual({ duration_ms: String(ms) })
    expect(driver.calls).toEqual([['swipe', points.start, points.end, ms]])
  })

  test('says when the system refuses', async () => {
    const { data } = await act({ type: 'swipe', params: points }, { ui: { refused: new Set(['swipe']) } })
    expect(data).toEqual({ error: 'GESTURE_FAILED', message: 'the system refused the swipe' })
  })
})
