/** Chooses the inputs that are kept: the smallest first, and each only if it reaches code that those before it do not. */
import type { Coverage } from './coverage.ts'
import { readGuarded } from './guarded-read.ts'
import { bytesOf, type Target } from './target.ts'

/** For all of a target: a corpus is read in every test run. */
export const KEPT = { inputs: 40, bytes: 24 * 1_024, largest: 4 * 1_024 } as const

/** The coverage has seen nothing of the target yet. */
export const distil = async (
  target: Target,
  candidates: readonly Buffer[],
  coverage: Coverage,
  begin: (input: Buffer) => void,
): Promise<Buffer[]> => {
  const opened = await target.open()
  for (const seed of target.seeds) await readGuarded(opened, bytesOf(seed), target)
  coverage.news()
  const chosen: Buffer[] = []
  let bytes = 0
  const small = candidates.filter(({ length }) => length <= KEPT.largest).sort((a, b) => a.length - b.length)
  for (const input of small) {
    if (chosen.length >= KEPT.inputs || bytes + input.length > KEPT.bytes) break
    begin(input)
    const read = await readGuarded(opened, input, target)
    if (coverage.news() === 0 || !read.ok) continue
    chosen.push(input)
    bytes += input.length
  }
  await opened.close?.()
  return chosen
}
