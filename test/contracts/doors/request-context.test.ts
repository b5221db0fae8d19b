/** Who asks, and under which conditions: what is written is read, and a stranger stays one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RequestContext, readContext, writeContext } from '../../../src/contracts/doors/request-context.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const text = fc.stringMatching(/^[a-z-]{1,20}$/)
const context: fc.Arbitrary<RequestContext> = fc.record(
  {
    caller: fc.constantFrom('cli' as const, 'mcp' as const),
    confirmed: fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
    executionId: fc.constant(ID),
    idempotencyKey: fc.stringMatching(/^[\x21-\x7e]{1,255}$/),
    skillRunId: fc.stringMatching(/^[\w.-]{1,128}$/),
    answerWithinMs: fc.integer({ min: 1, max: 999_999_999 }),
    isOperatorUnnamed: fc.constant(true),
    fetchesPictures: fc.constant(true),
    sent: fc.oneof(fc.record({ from: text }), fc.record({ from: text, epoch: fc.nat() })),
  },
  { requiredKeys: ['caller'] },
)

test('what is written is read by a private listener, whole', () => {
  fc.assert(
    fc.property(context, one => {
      // Rules are told without the blanks around them.
      fc.pre((one.confirmed ?? []).every(rule => rule === rule.trim()))
      expect(readContext(writeContext(one), { isPrivate: true })).toEqual({ ok: true, context: one })
    }),
  )
})

test('a stranger is http whatever it says: its key, its run and its deadline are all that counts', () => {
  fc.assert(
    fc.property(context, one => {
      const { idempotencyKey, skillRunId, answerWithinMs } = one
      const read = readContext(writeContext(one), { isPrivate: false })
      const kept = Object.entries({ idempotencyKey, skillRunId, answerWithinMs }).filter(
        ([, value]) => value !== undefined,
      )
      expect(read).toEqual({ ok: true, context: { caller: 'http', isStranger: true, ...Object.fromEntries(kept) } })
    }),
  )
})

test.each([
  ['idempotency-key', 'a key'],
  ['svc-skill-run', 'a run'],
  ['svc-answer-within', '0'],
  ['svc-answer-within', 'soon'],
  ['svc-execution-id', 'mine'],
])('%s: %s is refused', (name, value) => {
  expect(readContext({ [name]: value }, { isPrivate: true })).toMatchObject({
    ok: false,
    error: { code: 'INVALID_BODY', message: expect.stringMatching(/^The header \S+ must be .*\.$/) },
  })
})
