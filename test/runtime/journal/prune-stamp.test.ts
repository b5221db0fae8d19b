/** Who prunes the journal: one process at a time, and none that is dead. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimPrune } from '../../../src/runtime/journal/prune-stamp.ts'

const MAX_BYTES = 1_000
const WITHIN_MS = 60_000
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-stamp-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const stamp = () => join(folder, 'journal.pruned')
const claim = (now: number) => {
  const path = join(folder, 'journal.db')
  writeFileSync(path, 'x'.repeat(2 * MAX_BYTES))
  return claimPrune(path, { now, maxBytes: MAX_BYTES, withinMs: WITHIN_MS })
}

test('a claim of a living process holds, and one of a dead process does not', () => {
  const now = Date.now()
  expect(claim(now)).toEqual({ seq: 0, row: 0 })
  expect(claim(now + 10_000)).toBeUndefined()
  const claimed = JSON.parse(readFileSync(stamp(), 'utf8')) as { by: { pid: number; started: string } }
  // The time of the stamp stays: it says when the journal was pruned last.
  const dead = { ...claimed, by: { ...claimed.by, started: claimed.by.started.replace(/\d+$/, '1') } }
  writeFileSync(stamp(), JSON.stringify(dead))
  expect(claim(now + 10_000)).toEqual({ seq: 0, row: 0 })
})
