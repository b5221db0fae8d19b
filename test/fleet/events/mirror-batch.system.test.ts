/** The next records of a journal as one message, whatever its servers take. */
import { expect, test } from 'vitest'
import { nextBatch } from '../../../src/fleet/log/mirror-batch.ts'
import { fill, newJournal } from './mirroring.ts'

test.each([256 * 1_024, 6_000, 768])('servers that take messages of about %d bytes get all records', async bytesMax => {
  const journal = newJournal()
  await fill(journal, 0, 20)
  let position = { journal: 'j', seq: 0, digest: '' }
  for (let batches = 0; position.seq < journal.head() && batches < 40; batches++) {
    const batch = await nextBatch(position, {
      journal,
      bytesMax,
      beginsAt: undefined,
      outcomeOf: () => undefined,
      keepApart: async () => [],
    })
    expect(batch.entries.join(',').length).toBeLessThanOrEqual(bytesMax)
    position = batch.position
  }
  expect(position.seq).toBe(journal.head())
})
