/** What finding a skill costs in a process that has only just started, against one that only reads and parses the file. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchEntry } from './bench-entry.ts'
import type { BenchRow } from './row.ts'
import { skillCommandRows } from './skill-commands.ts'

const RUNS = 15
const SIZES = [1_000, 10_000]

/** This bundle is dist/dev/bench.js, or a chunk of it. */
const SEARCHER = fileURLToPath(new URL('../test/skill-searcher.js', import.meta.url))

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** What the program says of itself, in milliseconds without the start of Node. */
const timed = (mode: string, registry: string): number => {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const { stdout } = spawnSync(process.execPath, [SEARCHER, mode, registry, 'word-7'], { env, encoding: 'utf8' })
  const { ms } = JSON.parse(stdout) as { ms: number }
  return ms
}

const rowsOf = (folder: string, size: number): BenchRow[] => {
  const registry = join(folder, `registry-${size}.json`)
  writeFileSync(
    registry,
    JSON.stringify({ skills: Array.from({ length: size }, (_, index) => benchEntry(index)) }, null, 2),
  )
  const modes = ['parse', 'load', 'search'] as const
  const times = { parse: [] as number[], load: [] as number[], search: [] as number[] }
  // In turn, so that a noisy moment meets all of them.
  for (let run = 0; run < RUNS; run++) for (const mode of modes) times[mode].push(timed(mode, registry))
  const floor = median(times.parse)
  return (['load', 'search'] as const).map(mode => ({
    name: `${mode === 'load' ? 'registry load' : 'registry load and search'}, ${size} skills`,
    value: median(times[mode]),
    unit: 'ms',
    floor: `reading and parsing the file (${floor.toFixed(1)} ms)`,
    ratio: median(times[mode]) / floor,
  }))
}

export const skillRows = async (): Promise<BenchRow[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-skills-'))
  try {
    return [...SIZES.flatMap(size => rowsOf(folder, size)), ...(await skillCommandRows())]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
