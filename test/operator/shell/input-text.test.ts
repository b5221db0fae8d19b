import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHUNK_CHARS, refuseUntypable, typingCommands, untypableIn } from '../../../src/operator/shell/input-text.ts'
import { playInput, shellWords, typedBy } from '../../support/input-model.ts'

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
