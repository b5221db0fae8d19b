import { expect, test } from 'vitest'
import { syncWrites } from '../../../src/device/link/push-file.ts'

const DONE_BYTES = 4

const timeSent = async (mtime: number) => {
  const writes: Buffer[] = []
  for await (const bytes of syncWrites({ path: '/sdcard/a', content: Buffer.from('x'), mtime })) writes.push(bytes)
  return Buffer.concat(writes).readUInt32LE(Buffer.concat(writes).length - DONE_BYTES)
}

test.each([
  [-86_400, 0],
  [1_700_000_000, 1_700_000_000],
  [5_000_000_000, 0xffff_ffff],
])('the time %s is sent as the nearest that the service can say', async (mtime, sent) => {
  expect(await timeSent(mtime)).toBe(sent)
})
