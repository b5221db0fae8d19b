/** The examples of the library: each is shown on its page as it is, and does what it says. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../architecture/sources.ts'
import { type SvcLab, startSvcLab } from '../../support/cli/svc-lab.ts'
import { blocksOf, page } from './documents.ts'

const FOLDER = join(ROOT, 'docs/examples')
const files = readdirSync(FOLDER)

let lab: SvcLab
beforeAll(async () => {
  lab = await startSvcLab()
})
afterAll(() => lab.close())

test('the page shows all of them, and nothing else', () => {
  const shown = blocksOf(page('library'), 'js').sort()
  expect(shown).toEqual(files.map(file => readFileSync(join(FOLDER, file), 'utf8')).sort())
})

/** What each prints; the phone of these tests is the default one. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'act.mjs': /^Wi-Fi\n[0-9a-f-]{36} screen /,
  'act.cjs': /^screen \d+ /,
  'once.mjs': /^true\n$/,
  'errors.mjs': /^NODE_NOT_FOUND true .+\n$/,
  'several.mjs': /^3 Wi-Fi\n$/,
  'reserve.mjs': /^$/,
  'stop.mjs': /^EXECUTION_CANCELLED unknown\n$/,
  'follow.mjs': /^\d+ device:\S+ \S+ \S+\n[\s\S]*execution\.settled \S+\n$/,
  'log.mjs': /^\d{4}-\S+ \S+ /,
  'simulated.mjs': /^sim-1 com\.android\.settings\nsim-2 com\.android\.settings\n$/,
  'request.mjs': /^\d+\n\[[\s\S]+\]\nsettled\n$/,
}

test('each prints what it says', async () => {
  const programs = files.filter(file => !file.includes('.test.'))
  expect(Object.keys(PRINTED).sort()).toEqual([...programs].sort())
  for (const [file, printed] of Object.entries(PRINTED)) {
    const env = { ...lab.env, PATH: '' }
    const { stdout } = await promisify(execFile)(process.execPath, [join(FOLDER, file)], { env, timeout: 60_000 })
    expect(stdout, file).toMatch(printed)
  }
})
