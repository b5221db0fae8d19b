import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TEMPLATE_PLACEHOLDERS } from '../../../src/contracts/actions/overlay-template.ts'
import { Action } from '../../../src/contracts/executions/action.ts'
import { parseTemplate, type TemplatePart } from '../../../src/device/screen/overlay-template.ts'
import { complaints } from '../../contracts/parse.ts'
import { propertyRuns } from '../../support/property-runs.ts'

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
    expect(complaints(Action, { id: 'a', type: 'set_on_screen_log', params: { template } })).toEqual([])
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
