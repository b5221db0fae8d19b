/** The journals below test/runtime/golden, which `capture.js` there has made with builds of svc. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'

const folder = new URL('../../runtime/golden/', import.meta.url)
const END = '.db.gz'

/** As the build that made the journal told it over HTTP, just before it was killed in the middle of an execution. */
export interface GoldenTold {
  schema: number
  sha256: string
  leases: { key: string; fence: number; held: number }[]
  executions: (Receipt & Record<string, unknown>)[]
  actors: { id: string; machine: string; state: string }[]
}

/** Their names: the schema, and the version of the events of devices where that has changed meanwhile. */
export const GOLDEN: readonly string[] = readdirSync(folder)
  .filter(name => name.endsWith(END))
  .map(name => name.slice(0, -END.length))

const unpacked = (file: string): Buffer => gunzipSync(readFileSync(new URL(file, folder)))

export const goldenTold = (name: string): GoldenTold => JSON.parse(unpacked(`${name}.json.gz`).toString()) as GoldenTold

/** Puts the journal into a folder of its own; returns its path. */
export const placeGolden = (name: string, place: string): string => {
  mkdirSync(place, { recursive: true })
  const path = join(place, 'journal.db')
  writeFileSync(path, unpacked(`${name}${END}`), { mode: 0o600 })
  return path
}
