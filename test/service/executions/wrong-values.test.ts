/** Each field of each action with each kind of wrong value: always refused, always named. */
import { expect, test } from 'vitest'
import { kindOf, type Path, pathsIn, valueAt } from '../../support/json-paths.ts'
import { propertyCases } from '../../support/property-runs.ts'
import { around, FULL_ACTIONS } from './payloads.ts'
import { refusal } from './refusals.ts'

const withValue = (root: unknown, path: Path, wrong: unknown): unknown => {
  const copy = JSON.parse(JSON.stringify(root))
  const last = path.at(-1)
  if (last === undefined) return wrong
  const holder = valueAt(copy, path.slice(0, -1))
  Object.assign(holder as object, { [last]: wrong })
  return copy
}

const WRONG: readonly { name: string; value: unknown; alsoForItsKind?: boolean }[] = [
  { name: 'null', value: null },
  { name: 'a number', value: 7 },
  { name: 'a text', value: 'bogus' },
  { name: 'a numeric text', value: '7' },
  { name: 'a boolean', value: true },
  { name: 'a list', value: [] },
  { name: 'a list with one in it', value: [1] },
  { name: 'an object', value: {} },
  { name: 'a text with NUL', value: 'a\0b', alsoForItsKind: true },
  { name: 'a lone high surrogate', value: 'a\ud800', alsoForItsKind: true },
  { name: 'a lone low surrogate', value: '\udc00b', alsoForItsKind: true },
  { name: 'a huge number', value: 1e300, alsoForItsKind: true },
  { name: 'a very negative number', value: -1e300, alsoForItsKind: true },
  { name: 'more than a number can hold', value: JSON.parse('1e309'), alsoForItsKind: true },
  { name: 'not a number', value: Number.NaN, alsoForItsKind: true },
]

const SAYS_WHY = /(must|needs|needed|missing|is no|unknown|expected|placeholder)/

const dotted = (path: Path) => (path.length === 0 ? 'execution' : path.join('.'))

/** The whole payload around one action; the fields around it are tried with the first only. */
const variantsOf = (action: object, index: number) => {
  const payload = around(action)
  const paths = pathsIn(payload).filter(path => index === 0 || path.length > 1)
  return paths.flatMap(path =>
    WRONG.filter(({ value, alsoForItsKind }) => alsoForItsKind || kindOf(value) !== kindOf(valueAt(payload, path))).map(
      ({ name, value }) => ({ path: dotted(path), name, input: withValue(payload, path, value) }),
    ),
  )
}

const all = FULL_ACTIONS.map((action, index) => ({ type: action.type, variants: variantsOf(action, index) }))

test('there are many of them', () => {
  expect(all.reduce((sum, { variants }) => sum + variants.length, 0)).toBeGreaterThan(2_000)
})

test.each(all)('$type: each field with each wrong value is refused, with its path and a reason', ({ variants }) => {
  const wrong = propertyCases(variants).flatMap(({ path, name, input }) => {
    const { code, message, details } = refusal(input)
    const isNamed = code === 'EXECUTION_VALIDATION_FAILED' && details?.path === path
    return isNamed && SAYS_WHY.test(message) ? [] : [{ path, name, code, message, details }]
  })
  expect(wrong).toEqual([])
})
