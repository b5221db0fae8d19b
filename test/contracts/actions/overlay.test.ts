import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SetOnScreenLog } from '../../../src/contracts/actions/overlay.ts'
import {
  parseTemplate,
  TEMPLATE_PLACEHOLDERS,
  type TemplatePart,
} from '../../../src/contracts/actions/overlay-template.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { complaints } from '../parse.ts'
import { actionTable } from './table.ts'

const settings = {
  anchor: 'left',
  textAlign: 'left',
  topOffsetDp: 8,
  edgeOffsetDp: 8,
  widthDp: 280,
  fontSizeSp: 12,
  textColor: '#FFFFFFFF',
  backgroundColor: '#B3000000',
  ttlMs: 300_000,
}
const CONTROLS = ['\u0001', '\u0007', '\u0008', '\u000b', '\u000d', '\u001b', '\u001f', '\u007f', '\u0085', '\u009f']

actionTable(
  {
    type: 'show_toast',
    least: { text: 'Hi' },
    filled: { text: 'Hi', duration: 'short' },
    required: ['text'],
    texts: { text: [1, 2_048] },
    choices: { duration: ['short', 'long'] },
    rejected: [
      [{ text: ' \n\t' }, 'params.text'],
      [{ template: '{{device.model}}' }, 'params.template'],
    ],
  },
  { type: 'cancel_toast', least: null, filled: null },
  {
    type: 'set_on_screen_log',
    least: { text: 'Running' },
    filled: { text: 'Running', ...settings },
    texts: { text: [1, 2_048] },
    choices: { anchor: ['left', 'right'], textAlign: ['left', 'right'] },
    integers: {
      topOffsetDp: [0, 1_000],
      edgeOffsetDp: [0, 1_000],
      widthDp: [80, 600],
      fontSizeSp: [8, 24],
      ttlMs: [1_000, 3_600_000],
    },
    accepted: [
      { text: 'line\n\tindented' },
      { text: 'ok', textColor: '#00ff7F', backgroundColor: '#80ABCDEF' },
      { template: 'on {{device.model}}' },
      { template: '{{{{not a placeholder}}}}' },
      { template: 'x'.repeat(2_048) },
    ],
    rejected: [
      [{}, 'params'],
      [{ text: 'a', template: 'b' }, 'params'],
      [{ text: ' \n\t ' }, 'params.text'],
      [{ template: '   ' }, 'params.template'],
      [{ template: '' }, 'params.template'],
      [{ template: 'x'.repeat(2_049) }, 'params.template'],
      ...CONTROLS.flatMap(c => [
        [{ text: `a${c}b` }, 'params.text'] as [unknown, string],
        [{ template: `a${c}b` }, 'params.template'] as [unknown, string],
      ]),
      ...['FFFFFF', '#FFF', '#FFFFF', '#FFFFFFF', '#FFFFFFFFF', '#GGGGGG', ' #FFFFFF', '#FFFFFF\n', 'red', 1].flatMap(
        c => [
          [{ text: 'a', textColor: c }, 'params.textColor'] as [unknown, string],
          [{ text: 'a', backgroundColor: c }, 'params.backgroundColor'] as [unknown, string],
        ],
      ),
    ],
  },
  { type: 'clear_on_screen_log', least: null, filled: null },
)

const NAMES = [
  'foreground_app.icon',
  'foreground_app.package_name',
  'foreground_app.version_code',
  'foreground_app.version_name',
  'device.manufacturer',
  'device.model',
  'system.language_code',
  'system.language_tag',
  'system.language_name',
]

test('the placeholders are the documented ones', () => {
  expect([...TEMPLATE_PLACEHOLDERS].sort()).toEqual([...NAMES].sort())
  for (const name of NAMES) expect(parseTemplate(`on {{${name}}} now`).problems).toEqual([])
})

describe('accepted', () => {
  test.each<[string, TemplatePart[]]>([
    ['plain', [{ literal: 'plain' }]],
    ['a { b } c', [{ literal: 'a { b } c' }]],
    ['{{device.model}}', [{ placeholder: 'device.model' }]],
    [
      'a{{device.model}}{{system.language_tag}}b',
      [{ literal: 'a' }, { placeholder: 'device.model' }, { placeholder: 'system.language_tag' }, { literal: 'b' }],
    ],
    ['{{{{', [{ literal: '{{' }]],
    ['}}}}', [{ literal: '}}' }]],
    ['{{{{device.model}}}}', [{ literal: '{{' }, { literal: 'device.model' }, { literal: '}}' }]],
    ['{{device.model}}}}}}', [{ placeholder: 'device.model' }, { literal: '}}' }]],
    ['{{{{{{device.model}}', [{ literal: '{{' }, { placeholder: 'device.model' }]],
    ['{{{{{{{{', [{ literal: '{{' }, { literal: '{{' }]],
    ['}', [{ literal: '}' }]],
    ['{', [{ literal: '{' }]],
  ])('%j', (template, parts) => {
    expect(parseTemplate(template)).toEqual({ parts, problems: [] })
  })
})

describe('carried as it is, with a warning', () => {
  test.each([
    ['{{device.serial}}', 'unknown placeholder "{{device.serial}}"'],
    ['{{ device.model }}', 'unknown placeholder'],
    ['{{}}', 'unknown placeholder "{{}}"'],
    ['{{DEVICE.MODEL}}', 'unknown placeholder'],
    ['{{{device.model}}}', 'unknown placeholder "{{{device.model}}"'],
    ['a {{ b', '"{{" at 2 has no matching'],
    ['{{device.model}', 'has no matching'],
    ['{{{{{{', '"{{" at 4 has no matching'],
    ['a }} b', '"}}" at 2 has no matching'],
    ['{{device.model}}}}', '"}}" at 16 has no matching'],
    ['}}}}}}', '"}}" at 4 has no matching'],
    ['{{{{device.model}}', '"}}" at 16 has no matching'],
  ])('%j', (template, reason) => {
    expect(parseTemplate(template).problems[0]).toContain(reason)
    expect(complaints(SetOnScreenLog, { id: 'a', type: 'set_on_screen_log', params: { template } })).toEqual([])
  })
})

const part = fc.oneof(
  fc.constantFrom(...TEMPLATE_PLACEHOLDERS).map(name => ({ written: `{{${name}}}`, shown: `<${name}>` })),
  fc.constant({ written: '{{{{', shown: '{{' }),
  fc.constant({ written: '}}}}', shown: '}}' }),
  fc.stringMatching(/^[a-z .]{1,8}$/).map(literal => ({ written: literal, shown: literal })),
)

test('whatever is written by the rules reads back as meant', () => {
  fc.assert(
    fc.property(fc.array(part), parts => {
      const parsed = parseTemplate(parts.map(p => p.written).join(''))
      expect(parsed.problems).toEqual([])
      const shown = parsed.parts.map(p => ('literal' in p ? p.literal : `<${p.placeholder}>`)).join('')
      expect(shown).toBe(parts.map(p => p.shown).join(''))
    }),
  )
})

test('any text at all is judged without an exception, and never loses a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', 'a', '.', ...NAMES) }), template => {
      const parsed = parseTemplate(template)
      if (parsed.problems.length > 0) return
      const written = parsed.parts.map(p => {
        if ('placeholder' in p) return `{{${p.placeholder}}}`
        return p.literal === '{{' || p.literal === '}}' ? p.literal.repeat(2) : p.literal
      })
      expect(written.join('')).toBe(template)
    }),
    { numRuns: propertyRuns(1_000) },
  )
})
