/** The simulated world finds each planted defect, and nothing in the same seeds without it. Run by `npm run test:long`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLANTED } from '../simulation/planted/all-planted.ts'
import { type Planted, SEEDS_TRIED } from '../simulation/planted/planted.ts'
import { bundleTrials, tryTrials } from '../simulation/planted/planted-bundle.ts'
import { setting } from './trial/setting.ts'

const ALL = 100
const SHARE = setting('SVC_TRIALS', ALL) / ALL
const LONGEST_MS = 600_000

const LAWS = [1, 2, 3, 4, 5, 6, 7, 8] as const

const firstOf = (law: Planted['law']) => PLANTED.find(planted => planted.law === law)
const firsts = LAWS.map(firstOf).filter(planted => planted !== undefined)
/** A share has one of each law, and then as many more as it takes. */
const ordered = [...firsts, ...PLANTED.filter(planted => !firsts.includes(planted))]
const share = ordered.slice(0, Math.max(firsts.length, Math.round(PLANTED.length * SHARE)))

// Native packages are found from within the repository only.
const CACHE = 'node_modules/.cache'
mkdirSync(CACHE, { recursive: true })
const folder = mkdtempSync(join(CACHE, 'planted-'))
let unplanted = ''

beforeAll(async () => {
  unplanted = await bundleTrials(join(folder, 'unplanted'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('there is a planted defect for each law', () => {
  expect(firsts.map(({ law }) => law)).toEqual(LAWS)
})

test.each(share)(
  'law $law: $name',
  async planted => {
    const { name, law, seed: from, profile = 'core' } = planted
    const bundle = await bundleTrials(join(folder, name.replaceAll(/\W+/g, '-')), planted)
    const { broken } = await tryTrials(bundle, { profile, from, count: SEEDS_TRIED, law })
    expect(broken, `one of ${SEEDS_TRIED} seeds from ${from} on breaks law ${law}`).toBeDefined()
    const count = (broken?.seed ?? from) - from + 1
    console.log(`law ${law} after ${count} seeds: ${name}`)
    expect((await tryTrials(unplanted, { profile, from, count })).broken).toBeUndefined()
  },
  LONGEST_MS,
)
