/** Reads a registry once, as a command does that has only just started, and says how long that took. */
import { readFileSync } from 'node:fs'
import { systemClock } from '../../src/runtime/clock.ts'
import { loadRegistry } from '../../src/service/skills/registry/load.ts'
import { searchSkills } from '../../src/service/skills/search.ts'

const [mode = '', registry = '', keyword = ''] = process.argv.slice(2)
const clock = systemClock()

const search = (): number => {
  const loaded = loadRegistry({ registry, cwd: '/', home: '/' })
  if (!loaded.ok) throw new Error(loaded.error.message)
  return mode === 'search' ? searchSkills(loaded.registry, { keyword }).count : loaded.registry.skills.length
}

const start = clock.elapsed()
const count = mode === 'parse' ? JSON.parse(readFileSync(registry, 'utf8')).skills.length : search()
process.stdout.write(JSON.stringify({ ms: clock.elapsed() - start, count }))
