/** The inputs that fuzzing has kept, and those that have shown a defect, are read as they should be. */
import { expect, test } from 'vitest'
import { readCorpus } from './corpus.ts'
import { readGuarded } from './guarded-read.ts'
import { bytesOf, type Target } from './target.ts'
import { TARGETS } from './targets/catalogue.ts'

/** A machine with other work is slow: how long an input takes is judged by fuzzing alone. */
const PATIENCE_MS = 20_000

/** Servers have a seed for each of their requests; some of them show that all is as it should be. */
const SEEDS_MAX = 8
const someOf = (seeds: Target['seeds']) => seeds.filter((_, at) => at % Math.ceil(seeds.length / SEEDS_MAX) === 0)

test.each(TARGETS.map(target => [target.name, target] as const))('%s', async (name, target) => {
  const opened = await target.open()
  try {
    const readings: string[] = []
    for (const seed of someOf(target.seeds)) readings.push(await readingOf(bytesOf(seed)))
    expect(readings).toContain('accepted')
    for (const { name: file, input } of readCorpus(name)) {
      expect([file, await readingOf(input)], file).toEqual([file, expect.stringMatching(/^(?:accepted|refused)$/)])
    }
  } finally {
    await opened.close?.()
  }

  async function readingOf(input: Buffer): Promise<string> {
    const read = await readGuarded(opened, input, { msMax: PATIENCE_MS })
    return read.ok ? read.reading : `${read.failure.kind}: ${read.failure.message}`
  }
})
