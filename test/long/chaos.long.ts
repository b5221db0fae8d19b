/**
 * Whatever breaks at random moments, on one host with all of its doors, with AVDs and in a fleet: afterwards the phones, the
 * receipts and the answers tell one story. Run by `npm run test:long`: SVC_TRIALS trials, or as many as fit into SVC_CHAOS_SECONDS.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { type Scene, scenes } from './trial/scenes.ts'
import { setting } from './trial/setting.ts'

const SEED = setting('SVC_SEED', 1)
const TRIALS = setting('SVC_TRIALS', 100)
const SECONDS = setting('SVC_CHAOS_SECONDS', 0)
const LONGEST_MS = 400_000
const MS_PER_S = 1_000
/** With fewer there is no long trial of a fleet: `test/fleet/chaos/short.slow.test.ts` has a short one in every run. */
const FEW = 10

const isLong = SECONDS > 0 || TRIALS >= FEW
const all = scenes().filter(({ name, isPossible }) => isPossible && (isLong || name !== 'fleet'))

console.log(`SVC_SEED=${SEED} ${SECONDS > 0 ? `SVC_CHAOS_SECONDS=${SECONDS}` : `SVC_TRIALS=${TRIALS}`}`)
afterAll(() => {
  for (const { name, summary } of all) console.log(`${name}:\n${summary()}`)
})

const trialsOf = ({ share }: Scene): number => Math.max(1, Math.round(TRIALS / share))

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const play = async ({ play: playOne }: Scene, trial: number): Promise<void> => {
  const report = await playOne(SEED, trial)
  if (report !== undefined) expect.fail(report)
}

/** Plays them in turn, and goes on after a trial that broke a law: its report is printed at once. */
const playOn = async (inTurn: readonly Scene[]): Promise<string[]> => {
  const broken: string[] = []
  for (let turn = 0, latest = Date.now() + SECONDS * MS_PER_S; Date.now() < latest && inTurn.length > 0; turn += 1) {
    const scene = inTurn[turn % inTurn.length] as Scene
    const trial = 1 + Math.floor(turn / inTurn.length)
    const report = await scene.play(SEED, trial).catch(String)
    if (report === undefined) continue
    console.log(`${scene.name}, trial ${trial}\n${report}`)
    broken.push(`${scene.name}, trial ${trial}: ${report.split('\n')[1]}`)
  }
  return broken
}

/** One host beside the others, which take longer. */
const lanes = [all.filter(({ name }) => name === 'host'), all.filter(({ name }) => name !== 'host')]

if (SECONDS > 0)
  test(`seed ${SEED} for ${SECONDS} s`, { timeout: SECONDS * MS_PER_S + LONGEST_MS }, async () => {
    expect((await Promise.all(lanes.map(playOn))).flat()).toEqual([])
  })
else
  describe.each(all)('$name', scene => {
    test.each(numbers(trialsOf(scene)))(`seed ${SEED}, trial %i`, trial => play(scene, trial), LONGEST_MS)
  })
