/** The law of keys: whatever is accepted, settled and pruned in whatever order, no key has two executions within a day. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IDEMPOTENCY_KEEP_MS } from '../../../src/contracts/limits/limits.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'

const HOUR = 60 * 60 * 1_000
const step = fc.oneof(
  fc.record({ do: fc.constant('accept' as const), key: fc.constantFrom('k', 'l') }),
  fc.record({ do: fc.constant('settle' as const) }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 30 }) }),
  fc.record({
    do: fc.constant('prune' as const),
    maxAgeMs: fc.constantFrom(1, HOUR),
    maxBytes: fc.constantFrom(0, 1e9),
  }),
)

test('no key has two executions within a day', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
      const journal = memoryJournal({ alive: () => true, clock: manualClock() })
      const accepted: { key: string; at: number }[] = []
      let [now, n] = [1_000_000, 0]
      let open: ReturnType<typeof receiptOf> | undefined
      const write = (receipt: ReturnType<typeof receiptOf>) =>
        refusalOf(() => journal.append(recordOf('a', n, { at: now }), { receipt }))
      for (const each of steps) {
        if (each.do === 'wait') now += each.hours * HOUR
        else if (each.do === 'prune') await journal.prune({ maxAgeMs: each.maxAgeMs, maxBytes: each.maxBytes, now })
        else if (each.do === 'settle') {
          if (open && (await write({ ...open, state: 'settled', result: resultOf('x'.repeat(500)) })) === 'none') n += 1
          open = undefined
        } else {
          const idempotency = { key: each.key, payload: 'p' }
          const receipt = receiptOf(`e${n}`, { acceptedAt: now, idempotency })
          if ((await write(receipt)) !== 'none') continue
          n += 1
          open = receipt
          const before = accepted.findLast(({ key }) => key === each.key)
          if (before) expect(now - before.at).toBeGreaterThanOrEqual(IDEMPOTENCY_KEEP_MS)
          accepted.push({ key: each.key, at: now })
        }
      }
    }),
    { numRuns: propertyRuns(300) },
  )
})
