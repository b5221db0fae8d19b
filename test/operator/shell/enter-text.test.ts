import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shellDriver } from '../../../src/operator/shell/driver.ts'
import { CLEARABLE_CHARS_MAX } from '../../../src/operator/shell/enter-text.ts'
import { node } from '../../support/fake-ui-driver.ts'
import { type Field, playInput } from '../../support/input-model.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { type Answer, scriptedLink } from '../../support/scripted-link.ts'

const setup = (answer: (command: string) => Answer | undefined = () => undefined) => {
  const link = scriptedLink(answer)
  const clock = manualClock()
  const driver = shellDriver(link, { clock, deadline: clock.now() + 60_000, signal: new AbortController().signal })
  return { link, driver }
}
const point = { x: 60, y: 40 }
const plain = { append: true, submit: false, point }
const field = node({ at: [10, 20, 110, 60], className: 'android.widget.EditText' })

describe('one command line', () => {
  test.each([
    [plain, 'input tap 60 40 && input keyevent KEYCODE_MOVE_END && input text x'],
    [
      { append: true, submit: true, point },
      'input tap 60 40 && input keyevent KEYCODE_MOVE_END && input text x && input keyevent KEYCODE_ENTER',
    ],
  ])('%o', async (how, line) => {
    const { link, driver } = setup()
    expect(await driver.enterText(field, 'x', how)).toBe(true)
    expect(link.commands).toEqual([line])
  })

  test('does not touch a field that has the focus', async () => {
    const { link, driver } = setup()
    await driver.enterText({ ...field, focused: true }, 'x', { append: true, submit: false })
    expect(link.commands).toEqual(['input keyevent KEYCODE_MOVE_END && input text x'])
  })

  test('clears what may be a text that is like the hint', async () => {
    const { link, driver } = setup()
    const like = { ...field, focused: true, text: 'ab', hint: 'ab' }
    await driver.enterText(like, 'x', { append: false, submit: false })
    expect(link.commands).toEqual([
      'input keyevent KEYCODE_MOVE_END KEYCODE_DEL KEYCODE_DEL KEYCODE_FORWARD_DEL KEYCODE_FORWARD_DEL && input text x',
    ])
  })

  test('goes below the touched line of a field with several', async () => {
    const { link, driver } = setup()
    await driver.enterText({ ...field, focused: true, text: 'a\nb' }, 'x', { append: true, submit: false })
    expect(link.commands).toEqual(['input keyevent KEYCODE_PAGE_DOWN KEYCODE_MOVE_END && input text x'])
  })
})

describe('what the field holds afterwards', () => {
  const ascii = (maxLength: number) => fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength })
  const before = fc
    .tuple(fc.string({ unit: fc.constantFrom('a', 'ß', '\n', ' ', '%'), maxLength: 40 }), fc.nat(40))
    .map(([text, cursor]): Field => ({ text, cursor: Math.min(cursor, text.length) }))

  test.each([true, false])('append %s', async append => {
    await fc.assert(
      fc.asyncProperty(ascii(60), before, async (text, had) => {
        const { link, driver } = setup()
        await driver.enterText({ ...field, text: had.text }, text, { append, submit: false, point })
        const has = link.commands.reduce((field, line) => playInput(line, field), had)
        expect(has.text).toBe(append ? had.text + text : text)
      }),
    )
  })

  test('a password of unknown length is cleared too', async () => {
    const { link, driver } = setup()
    await driver.enterText({ ...field, password: true }, 'new', { append: false, submit: false, point })
    const has = link.commands.reduce((held, line) => playInput(line, held), { text: 'x'.repeat(60), cursor: 30 })
    expect(has.text).toBe('new')
  })
})

describe('what cannot be done is not begun', () => {
  test.each([
    [
      'a node that takes no text',
      'x',
      node({ clickable: true, focusable: true }),
      { append: true, submit: false },
      'ACTION_FAILED',
    ],
    ['a text that no key types', 'é', field, plain, 'EXECUTION_ACTION_UNSUPPORTED'],
    [
      'a field too long to clear',
      'x',
      { ...field, text: 'y'.repeat(CLEARABLE_CHARS_MAX + 1) },
      { append: false, submit: false, point },
      'ACTION_FAILED',
    ],
  ])('%s', async (_name, text, target, how, code) => {
    const { link, driver } = setup()
    await expect(driver.enterText(target, text, how)).rejects.toMatchObject({ code })
    expect(link.commands).toEqual([])
  })
})

test('the longest text and the longest field fit into one command line', async () => {
  const { link, driver } = setup()
  const target = { ...field, text: 'y'.repeat(CLEARABLE_CHARS_MAX) }
  await driver.enterText(target, "'".repeat(512), { append: false, submit: true, point })
  expect(link.commands[0]?.length).toBeLessThan(60_000)
})

test('a refusal is passed on with its words', async () => {
  const { driver } = setup(() => ({
    exitCode: 255,
    stderr: '\njava.lang.SecurityException: Injecting needs INJECT_EVENTS permission\n\tat x',
  }))
  await expect(driver.enterText(field, 'x', plain)).rejects.toMatchObject({
    code: 'ACTION_FAILED',
    message: expect.stringMatching(/SecurityException.*USB debugging \(Security settings\)/),
  })
})
