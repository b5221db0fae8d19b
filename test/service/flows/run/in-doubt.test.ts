/** What an attempt has done is proven by its receipts alone. */
import { expect, test } from 'vitest'
import { executionInDoubt } from '../../../../src/service/flows/run/command-log.ts'

test('an attempt is in doubt where the host of one of its executions does not answer', async () => {
  const commands = [{ executionIds: ['e1', 'e2'] }] as never
  const asked = async (executionId: string) => {
    if (executionId === 'e2') throw new Error('the host does not answer')
    return undefined
  }
  expect(await executionInDoubt({ commands }, { receipt: asked })).toBe('e2')
})
