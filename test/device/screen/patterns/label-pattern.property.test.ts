/** Patterns of labels fit the texts that the engine of JavaScript fits with them, where both know what is written. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelPattern } from '../../../../src/device/screen/patterns/label-pattern.ts'
import { propertyRuns } from '../../../support/property-runs.ts'

const atom = fc.constantFrom(
  'a',
  'B',
  '1',
  ' ',
  '.',
  '\\.',
  '\\d',
  '\\W',
  '\\s',
  '[ab]',
  '[^a1]',
  '[A-C1-3]',
  '\\x41',
  '\\b',
  '^',
  '$',
)
const repeated = (of: string) =>
  fc.constantFrom('', '*', '+', '?', '{2}', '{1,2}', '*?').map(sign => `(?:${of})${sign}`)

const { pattern } = fc.letrec<{ pattern: string }>(tie => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    atom,
    atom.chain(repeated),
    tie('pattern').chain(repeated),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}${other}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
  ),
}))
const label = fc.string({ unit: fc.constantFrom('a', 'b', 'C', '1', '.', ' ', '\n'), maxLength: 8 })

test('the whole label, in any case, and a dot takes line breaks', () => {
  fc.assert(
    fc.property(pattern, fc.array(label, { minLength: 1, maxLength: 5 }), (source, labels) => {
      const wanted = new RegExp(`^(?:${source})$`, 'is')
      expect(labels.map(labelPattern(source)), source).toEqual(labels.map(text => wanted.test(text)))
    }),
    { numRuns: propertyRuns(500) },
  )
})
