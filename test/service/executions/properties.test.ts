import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PARAM_KEY_ALIASES } from '../../../src/contracts/executions/aliases.ts'
import { normaliseExecution, validateExecution } from '../../../src/service/executions/validate.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { around, deepFrozen, FULL_ACTIONS } from './payloads.ts'
import { expectReadable } from './refusals.ts'

const AWKWARD_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'params',
  'actions',
  'type',
  ...Object.keys(PARAM_KEY_ALIASES),
]

const anyJson = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -1, Number.POSITIVE_INFINITY, 'click', '', 'a\0', '\ud800'),
    fc.string(),
    fc.double(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...AWKWARD_KEYS), fc.string()), tie('value')), { maxLength: 4 })
      .map(entries => Object.fromEntries(entries)),
  ),
})).value

const action = fc.constantFrom(...FULL_ACTIONS)

/** A valid payload with one value replaced, or one more key, somewhere. */
const damaged = fc
  .tuple(action, fc.nat(), fc.constantFrom(...AWKWARD_KEYS, ''), anyJson)
  .map(([chosen, seed, key, value]) => {
    const payload = JSON.parse(JSON.stringify(around(chosen)))
    const holders: Record<string, unknown>[] = []
    const collect = (at: unknown): void => {
      if (typeof at !== 'object' || at === null) return
      if (!Array.isArray(at)) holders.push(at as Record<string, unknown>)
      Object.values(at).forEach(collect)
    }
    collect(payload)
    const holder = holders[seed % holders.length] ?? {}
    const keys = Object.keys(holder)
    const chosenKey = key === '' ? (keys[seed % Math.max(1, keys.length)] ?? 'x') : key
    Object.defineProperty(holder, chosenKey, { value, enumerable: true, configurable: true, writable: true })
    return payload
  })

const judged = (input: unknown) => {
  const result = validateExecution(input)
  if (!result.ok) {
    expectReadable(result.error)
    expect(typeof result.error.details?.path).toBe('string')
    expect(JSON.parse(JSON.stringify(result.error))).toEqual(result.error)
  }
  return result
}

describe('any value', () => {
  test('of JSON is judged', () => {
    fc.assert(
      fc.property(anyJson, input => void judged(input)),
      { numRuns: propertyRuns(500) },
    )
  })

  test('of JavaScript is judged', () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true })
    fc.assert(
      fc.property(anything, input => void judged(input)),
      { numRuns: propertyRuns(500) },
    )
  })

  test('is left as it is', () => {
    fc.assert(
      fc.property(damaged, input => void judged(deepFrozen(input))),
      { numRuns: propertyRuns(300) },
    )
  })
})

test('a damaged payload is refused with a readable reason, or accepted for good', () => {
  fc.assert(
    fc.property(damaged, input => {
      const once = judged(input)
      if (once.ok) expect(judged(once.execution)).toEqual(once)
    }),
    { numRuns: propertyRuns(1_500) },
  )
})

test('normalising twice is normalising once', () => {
  fc.assert(
    fc.property(fc.oneof(anyJson, damaged), input => {
      const once = normaliseExecution(input)
      expect(normaliseExecution(once)).toEqual(once)
    }),
    { numRuns: propertyRuns(500) },
  )
})
