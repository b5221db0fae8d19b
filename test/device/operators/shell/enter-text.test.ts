import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shellDriver } from '../../../../src/device/operators/shell/driver.ts'
import {
  CHUNK_CHARS,
  CLEARABLE_CHARS_MAX,
  refuseUntypable,
  typingCommands,
  untypableIn,
} from '../../../../src/device/operators/shell/enter-text.ts'
import { node } from '../../../support/device/fake-ui-driver.ts'
import { type Field, playInput, shellWords, typedBy } from '../../../support/device/input-model.ts'
import { type Answer, scriptedLink } from '../../../support/device/scripted-link.ts'
import { manualClock } from '../../../support/manual-clock.ts'

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

const typed = (text: string) => playInput(typingCommands(text).join(' && '), { text: '', cursor: 0 }).text

test.each([
  ['plain', ['input text plain']],
  ['two words', ['input text two%swords']],
  ['100% sure', [`input text 100%%ssure`]],
  ['a%sb', ['input text a%', 'input text sb']],
  ["it's", [`input text 'it'\\''s'`]],
  ['-d', ['input text -d']],
  ['a\nb', ['input text a', 'input keyevent KEYCODE_ENTER', 'input text b']],
  ['a\r\nb', ['input text a', 'input keyevent KEYCODE_ENTER', 'input text b']],
  ['\n', ['input keyevent KEYCODE_ENTER']],
  [
    `$(id) \`id\` "x" \\ | ; & < > * ? ~ # ! {a,b}`,
    [`input text '$(id)%s\`id\`%s"x"%s\\%s|%s;%s&%s<%s>%s*%s?%s~%s#%s!%s{a,b}'`],
  ],
])('%s', (text, commands) => {
  expect(typingCommands(text)).toEqual(commands)
})

describe('whatever can be typed comes out as it was given', () => {
  const hard = fc.constantFrom(
    '%',
    's',
    '%s',
    ' ',
    "'",
    '"',
    '\\',
    '$',
    '`',
    '&',
    ';',
    '|',
    '<',
    '>',
    '-',
    '!',
    '*',
    '~',
    '\n',
    '\t',
  )
  const ascii = fc.string({ unit: 'binary-ascii' })
  const text = fc
    .array(fc.oneof(hard, ascii), { minLength: 1, maxLength: 30 })
    .map(parts => parts.join(''))
    .filter(all => all !== '' && untypableIn(all) === undefined)

  test('through sh and input', () => {
    fc.assert(
      fc.property(text, given => {
        expect(typed(given)).toBe(given.replaceAll('\r\n', '\n'))
      }),
    )
  })

  test('and a real sh sees the words that the model sees', () => {
    const lines = fc.sample(text, 200).map(given => typingCommands(given).join(' && '))
    const script = [`input() { printf '%s\\001' input "$@"; printf '\\002'; }`, ...lines].join('\n')
    const seen = execFileSync('sh', { input: script, encoding: 'utf8' })
    const modelled = lines.flatMap(shellWords).map(words => `${words.join('\x01')}\x01\x02`)
    expect(seen).toBe(modelled.join(''))
  })

  test('also over many calls', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('%', 's', ' ', 'a'), { minLength: 300, maxLength: 512 }), parts => {
        const given = parts.join('')
        expect(typed(given)).toBe(given.replaceAll('\r\n', '\n'))
        for (const command of typingCommands(given)) expect(command.length).toBeLessThan(2 * CHUNK_CHARS + 20)
      }),
    )
  })
})

test('the model types a blank for the escape, and knows no way to write it', () => {
  expect(typedBy('a%sb')).toBe('a b')
  expect(typedBy('%%s')).toBe('% ')
  expect(typedBy('%d%')).toBe('%d%')
})

describe('what no key types', () => {
  test.each([
    ['naïve', '"ï" (U+00EF)'],
    ['a😀', '"😀" (U+1F600)'],
    ['a\tb', 'U+0009'],
    ['a\rb', 'U+000D'],
    ['\u007f', 'U+007F'],
    ['你', '"你" (U+4F60)'],
  ])('%s', (text, named) => {
    expect(() => refuseUntypable(text)).toThrow(named)
  })

  test('is refused as unsupported', () => {
    expect(() => refuseUntypable('é')).toThrow(expect.objectContaining({ code: 'EXECUTION_ACTION_UNSUPPORTED' }))
    expect(() => refuseUntypable('plain ~!@#\r\n')).not.toThrow()
  })
})
