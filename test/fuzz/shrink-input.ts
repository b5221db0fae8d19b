/** A smaller input that fails for the same reason: pieces are left out, the largest first. */
import type { Failure } from './guarded-read.ts'

const ATTEMPTS_MAX = 600

export const shrinkInput = async (
  input: Buffer,
  failure: Failure,
  fail: (input: Buffer) => Promise<Failure | undefined>,
): Promise<Buffer> => {
  let best = input
  let attempts = 0
  for (let size = Math.ceil(input.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length && attempts < ATTEMPTS_MAX; ) {
      attempts += 1
      const less = Buffer.concat([best.subarray(0, at), best.subarray(at + size)])
      const failed = await fail(less)
      if (failed?.signature === failure.signature) best = less
      else at += size
    }
  }
  return best
}
