/** How many GET /skills a server answers in a second, against a bare one that answers the same bytes. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServe } from '../support/cli/serve.ts'
import { median } from '../support/lines.ts'
import { benchEntry } from './bench-entry.ts'
import { perSecond, start, stopAll } from './http-load.ts'
import type { BenchRow } from './row.ts'

const SKILLS = 20
const CALLERS = 8
const ROUNDS = 5
const ROUND_S = 2
const LONGEST_MS = 120_000

const autocannon = createRequire(import.meta.url).resolve('autocannon')

/** Requests per second; the callers are a process of their own. */
const rateOf = async (url: string): Promise<number> => {
  const words = [autocannon, '--connections', `${CALLERS}`, '--duration', `${ROUND_S}`, '--json', '--no-progress', url]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  const { requests, non2xx } = JSON.parse(stdout) as { requests: { average: number }; non2xx: number }
  if (non2xx > 0) throw new Error(`${url}: ${non2xx} requests failed`)
  return requests.average
}

export const skillRows = async (): Promise<BenchRow[]> => {
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const registry = join(home, 'skills', 'skills-registry.json')
  mkdirSync(join(home, 'skills'))
  writeFileSync(registry, JSON.stringify({ skills: Array.from({ length: SKILLS }, (_, index) => benchEntry(index)) }))
  const env = { HOME: home, SVC_SKILLS_REGISTRY: registry }
  const serve = await startServe({ env, cwd: home, longestMs: LONGEST_MS })
  try {
    const bytes = (await (await fetch(`${serve.url}/skills`)).arrayBuffer()).byteLength
    const bare = await start('http-bare', `${bytes}`)
    const [served, floor]: [number[], number[]] = [[], []]
    for (let round = -1; round < ROUNDS; round += 1) {
      const rates = [await rateOf(`${serve.url}/skills`), await rateOf(`http://127.0.0.1:${bare.said}/`)] as const
      if (round < 0) continue
      served.push(rates[0])
      floor.push(rates[1])
    }
    const name = `GET /skills, ${SKILLS} skills, ${CALLERS} callers`
    return [perSecond(name, median(served), 'bare HTTP, the same bytes', median(floor))]
  } finally {
    await serve.end()
    await stopAll()
    rmSync(home, { recursive: true, force: true })
  }
}
