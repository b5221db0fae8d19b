import { describe, expect, test } from 'vitest'
import { KEYS } from '../../../../src/contracts/literals.ts'
import { node, screen } from '../../../support/fake-ui-driver.ts'
import { act } from '../act.ts'

const field = node({ resourceId: 'field', className: 'android.widget.EditText' })
const tree = () =>
  screen(node({ resourceId: 'frame', children: [node({ text: 'Name' }), field] }), node({ text: 'other' }))

describe('enter_text', () => {
  test('types into the matched field', async () => {
    const { data, driver } = await act(
      { type: 'enter_text', params: { matcher: { resourceId: 'field' }, text: 'Ä & b' } },
      { ui: { tree } },
    )
    expect(data).toEqual({ text: 'Ä & b', submit: 'false' })
    expect(driver.deeds()).toEqual([['enterText', 'field', 'Ä & b', { append: false, submit: false }]])
  })

  test('hands on append and submit', async () => {
    const params = { matcher: { resourceId: 'field' }, text: 'x', append: true, submit: true }
    const { data, driver } = await act({ type: 'enter_text', params }, { ui: { tree } })
    expect(data).toEqual({ text: 'x', submit: 'true' })
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
