/** What the skills commands cost as a caller pays for them: whole processes, against Node alone and the script alone. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/runtime/clock.ts'
import { median } from '../support/lines.ts'
import { benchEntry } from './bench-entry.ts'
import type { BenchRow } from './row.ts'

const ROUNDS = 15
const SIZES = [1_000, 10_000]
const clock = systemClock()

/** This bundle is dist/dev/bench.js. */
const CLI = fileURLToPath(new URL('../svc.cjs', import.meta.url))

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A skills repository with every file that its entries name. */
const writeRepo = (root: string, size: number): string => {
  const entries = Array.from({ length: size }, (_, index) => benchEntry(index))
  const registry = join(root, 'skills', 'skills-registry.json')
  for (const entry of entries) {
    write(join(root, entry.path, 'skill.json'), JSON.stringify(entry, null, 2))
    for (const path of [entry.skillFile, ...entry.scripts]) write(join(root, path), "console.log('done')\n")
  }
  write(registry, JSON.stringify({ skills: entries }, null, 2))
  return registry
}

type Calls = Readonly<Record<string, readonly string[]>>

/** Medians of whole processes, all in turn, so that what else this machine does falls on each of them. */
const measured = async (calls: Calls, home: string): Promise<Record<string, number>> => {
  const env = { HOME: home, PATH: '', SVC_NO_DAEMON: '1', ADB_SERVER_SOCKET: `localfilesystem:${home}/no-server` }
  const times = new Map<string, number[]>(Object.keys(calls).map(name => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, taken] of times) {
      const start = clock.elapsed()
      const child = spawn(process.execPath, calls[name] ?? [], { env, stdio: ['ignore', 'pipe', 'ignore'] })
      child.stdout.resume()
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`${name} ended with ${code}`)
      taken.push(clock.elapsed() - start)
    }
  }
  return Object.fromEntries([...times].map(([name, taken]) => [name, median(taken)]))
}

const rowsOf = async (calls: Calls, floor: string, home: string): Promise<BenchRow[]> => {
  const took = await measured(calls, home)
  const least = took[floor] ?? Number.NaN
  return Object.entries(took)
    .filter(([name]) => name !== floor)
    .map(([name, value]) => {
      return { name, value, unit: 'ms', floor: `${floor} (${least.toFixed(1)} ms)`, ratio: value / least }
    })
}

const NODE = 'node -e 0'
const SCRIPT = 'running the script'

export const skillCommandRows = async (): Promise<BenchRow[]> => {
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-skill-commands-'))
  try {
    const repos = SIZES.map(size => ({ size, registry: writeRepo(join(home, `${size}`), size) }))
    const [first] = repos
    const { id, scripts } = benchEntry(0)
    const script = join(home, `${first?.size}`, scripts[0] ?? '')
    const svc = (registry: string, ...words: string[]) => [CLI, 'skills', '--registry', registry, ...words]
    const small = writeRepo(join(home, 'one'), 1)
    const run = await rowsOf({ [SCRIPT]: [script], 'svc skills run': svc(small, 'run', id) }, SCRIPT, home)
    const calls = repos.flatMap(({ size, registry }) => [
      [`svc skills list, ${size} skills`, svc(registry, 'list')],
      [`svc skills search, ${size} skills`, svc(registry, 'search', 'word-7')],
      [`svc skills validate --all, ${size} skills`, svc(registry, 'validate', '--all')],
    ])
    const one = { 'svc skills list, 1 skill': svc(small, 'list') }
    const others = await rowsOf({ [NODE]: ['-e', '0'], ...one, ...Object.fromEntries(calls) }, NODE, home)
    return [...run, ...others]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
