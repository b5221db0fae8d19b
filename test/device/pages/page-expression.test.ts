/** The expression that pages evaluate: no selector becomes code of it. */
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageExpression, queryIn } from '../../../src/device/pages/page-expression.ts'

/** A page with nothing in it but a memory for the selectors that it was asked for. */
const evaluated = (css: readonly string[]) => {
  const asked: string[] = []
  const fragment = {
    querySelector(selector: string) {
      asked.push(selector)
      if (asked.length === css.length) throw new Error('refused')
    },
  }
  const document = { createDocumentFragment: () => fragment }
  const globals = { document, window: {}, stolen: false }
  const value: unknown = runInNewContext(pageExpression({ css, all: false }), globals)
  return { asked, value: JSON.parse(JSON.stringify(value)), stolen: globals.stolen, names: Object.keys(globals) }
}

const HOSTILE = [
  `"'); stolen = true; ("`,
  '`$' + '{stolen = true}`',
  '\\"]})); stolen = true //',
  '</script><script>stolen = true</script>',
  '\u2028stolen = true\u2029',
  '}); stolen = true; (function () {',
  '\ud800 \0',
]

describe('selectors', () => {
  test('are handed over as they are, whatever is in them', () => {
    const { asked, value, stolen, names } = evaluated(HOSTILE)
    expect(asked.slice(0, -1)).toEqual(HOSTILE.slice(0, -1))
    expect(value).toEqual({ bad: HOSTILE.length - 1, reason: 'refused' })
    expect(stolen).toBe(false)
    expect(names).toEqual(['document', 'window', 'stolen'])
  })

  test('of any text come back unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.boolean(), (css, all) => {
        expect(queryIn(pageExpression({ css, all }))).toMatchObject({ css, all })
        expect(pageExpression({ css, all })).not.toMatch(/[\u2028\u2029]/)
      }),
      { numRuns: 200 },
    )
  })

  test('another expression has none', () => {
    expect(queryIn('1 + 1')).toBeUndefined()
  })
})
