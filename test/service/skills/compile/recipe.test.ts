import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillPlaceholders } from '../../../../src/service/skills/compile/recipe.ts'
import { propertyRuns } from '../../../support/property-runs.ts'

const AMPLE = 1_000_000
const filled = (recipe: unknown, vars: Record<string, string>) => {
  const result = fillPlaceholders(recipe, vars, AMPLE)
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.value
}

describe('placeholders', () => {
  test('are filled in wherever a string is, keys included', () => {
    expect(filled({ 'k{{A}}': ['{{A}}', { x: 'a{{ A }}b{{B}}' }, 7, null, true] }, { A: '1', B: '2' })).toEqual({
      k1: ['1', { x: 'a1b2' }, 7, null, true],
    })
  })

  test('of the on-screen log stay for the device, unless the caller has such a variable', () => {
    expect(filled('{{device.model}} {{X}}', { X: '1' })).toBe('{{device.model}} 1')
    expect(filled('{{device.model}}', { 'device.model': 'mine' })).toBe('mine')
    expect(fillPlaceholders('{{device.colour}}', {}, AMPLE)).toMatchObject({ ok: false, names: ['device.colour'] })
  })

  test('are none where braces are doubled for a template, or hold no name', () => {
    for (const text of ['{{{{A}}}}', '{{}}', '{{ }}', '{{1}}', '{{a b}}', '{A}', '{{A', 'A}}', '{{"A"}}']) {
      expect(filled(text, { A: '1' })).toBe(text)
    }
    expect(filled('{{{A}}}', { A: '1' })).toBe('{1}')
    expect(filled('{{A}}{{A}}', { A: '1' })).toBe('11')
  })

  test('are not names that every object has', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(fillPlaceholders(`{{${name}}}`, {}, AMPLE)).toEqual({ ok: false, problem: 'missing', names: [name] })
    }
    const vars = JSON.parse('{"__proto__": "x"}')
    expect(filled('{{__proto__}}', vars)).toBe('x')
    expect(JSON.stringify(filled(JSON.parse('{"__proto__": "{{A}}"}'), { A: '1' }))).toBe('{"__proto__":"1"}')
  })
})

const name = fc.constantFrom('A', 'B', 'C')
const piece = fc.oneof(
  name.map(text => ({ text: `{{${text}}}`, name: text })),
  fc.constantFrom('x', ' ', '$&', '$1', '\\', '"', '\n', '}', '{ ').map(text => ({ text, name: undefined })),
)
/** Values that look like placeholders, patterns of replacements and JSON. */
const value = fc.oneof(fc.string(), fc.constantFrom('{{A}}', '{{B}}', '{{', '}}', '$&', '$`', '"},{"', '{{C}}{{A}}'))
const vars = fc.record({ A: value, B: value, C: value })

describe('laws', () => {
  test('each placeholder becomes its value as it is, and nothing that is put in is looked at again', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), vars, (pieces, given) => {
        // Braces beside a placeholder could make it another one; apart, each piece is what it is.
        const text = pieces.map(part => part.text).join('|')
        const wanted = pieces.map(part => (part.name === undefined ? part.text : given[part.name as 'A'])).join('|')
        expect(filled([text], given)).toEqual([wanted])
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })

  test('values never change the shape of what they are put into', () => {
    const shape = (at: unknown): unknown =>
      Array.isArray(at)
        ? at.map(shape)
        : typeof at === 'object' && at !== null
          ? Object.values(at).map(shape)
          : typeof at
    fc.assert(
      fc.property(fc.jsonValue(), vars, (recipe, given) => {
        const before = JSON.parse(JSON.stringify(recipe))
        const result = fillPlaceholders(before, given, AMPLE)
        if (result.ok) expect(shape(result.value)).toEqual(shape(before))
      }),
      { numRuns: propertyRuns(500) },
    )
  })

  test('what values add is bounded', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), fc.nat(900), (count, length, most) => {
        const result = fillPlaceholders('{{A}}'.repeat(count), { A: 'x'.repeat(length) }, most)
        expect(result.ok).toBe(count * length <= most)
      }),
    )
  })
})
