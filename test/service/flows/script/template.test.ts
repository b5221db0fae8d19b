// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what a flow holds
/** Where a script in a text begins and ends. */
import { describe, expect, test } from 'vitest'
import { nameWithoutValue, splitTemplate } from '../../../../src/service/flows/script/template.ts'

const script = (text: string) => ({ script: text })
const text = (written: string) => ({ text: written })

test.each([
  ['', []],
  ['plain', [text('plain')]],
  ['a ${b} c', [text('a '), script('b'), text(' c')]],
  ['${a}${b}', [script('a'), script('b')]],
  ['${a} $ {b} $', [script('a'), text(' $ {b} $')]],
  ['\\${a} ${b}', [text('${a} '), script('b')]],
  ['${f({ a: { b: 1 } })}}', [script('f({ a: { b: 1 } })'), text('}')]],
  ['${"}" + \'}\' + `}${"}"}`}!', [script('"}" + \'}\' + `}${"}"}`'), text('!')]],
  ['${"\\"}"}', [script('"\\"}"')]],
  ['${a // }\n}', [script('a // }\n')]],
  ['${a /* } */}', [script('a /* } */')]],
  ['${/[/}]}/.test(a)}', [script('/[/}]}/.test(a)')]],
  ['${a / 2} and ${b / 2}', [script('a / 2'), text(' and '), script('b / 2')]],
  ['${a++ / 2} and ${(b) / 2}', [script('a++ / 2'), text(' and '), script('(b) / 2')]],
  ['${return /}/}', [script('return /}/')]],
  ['open ${a', [text('open ${a')]],
  ["${it's} ${b}", [script("it's"), text(' ${b}')]],
])('%s', (written, pieces) => {
  expect(splitTemplate(written)).toEqual(pieces)
})

test('a long text takes no more than its length', () => {
  const braces = '${"'.repeat(100_000)
  expect(splitTemplate(braces)).toEqual([text(braces)])
  expect(splitTemplate("${'}".repeat(100_000))).toHaveLength(50_000)
}, 5_000)

describe('a name without a value', () => {
  test.each<[script: string, text: string, name: string | undefined]>([
    ['NAME', 'undefined', 'NAME'],
    [' output.user.name ', 'undefined', 'output.user.name'],
    ['NAME', 'ann', undefined],
    ['SET', 'undefined', undefined],
    ['undefined', 'undefined', undefined],
    ['typeof NAME', 'undefined', undefined],
    ['output.user()', 'undefined', undefined],
  ])('%s', (script, text, name) => {
    expect(nameWithoutValue(script, text, { SET: 'undefined' })).toBe(name)
  })
})
