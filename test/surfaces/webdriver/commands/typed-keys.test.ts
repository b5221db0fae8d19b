import { describe, expect, test } from 'vitest'
import { ENTER_TEXT_CHARS_MAX } from '../../../../src/contracts/limits/limits.ts'
import { typingSteps } from '../../../../src/surfaces/webdriver/commands/typed-keys.ts'

const matcher = { textEquals: 'Name' }
const typed = (text: string, more = {}) => ({ type: 'enter_text', params: { ...more, text, append: true } })
const pressed = (key: string) => ({ type: 'press_key', params: { key } })

describe('the text of element/value', () => {
  test('is typed behind what is in the field', () => {
    expect(typingSteps('ada', matcher)).toEqual([typed('ada', { matcher })])
    expect(typingSteps('', matcher)).toEqual([])
  })

  test('keys among it are pressed, and what follows goes where the focus is then', () => {
    expect(typingSteps('ada\uE004lovelace\uE007', matcher)).toEqual([
      typed('ada', { matcher }),
      pressed('tab'),
      typed('lovelace'),
      pressed('enter'),
    ])
  })

  test('a key that comes first is pressed in the field', () => {
    expect(typingSteps('\uE003', matcher)).toEqual([
      { type: 'click', params: { matcher, clickType: 'focus' } },
      pressed('del'),
    ])
  })

  test('a long text is typed in parts that break no character', () => {
    const text = `${'a'.repeat(ENTER_TEXT_CHARS_MAX - 1)}😀b`
    const steps = typingSteps(text, matcher)
    expect(steps.map(({ params }) => params?.text).join('')).toBe(text)
    expect(steps[1]?.params?.text).toBe('😀b')
  })

  test('a key with no meaning on a phone is refused by its code', () => {
    expect(() => typingSteps('\uE008a', matcher)).toThrow('U+E008')
  })
})
