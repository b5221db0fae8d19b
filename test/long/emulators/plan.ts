/** What one trial does to AVDs: who asks for which change and when, and what is killed, frozen or restarted meanwhile. Pure. */
import { type Random, randomOf } from '../trial/random.ts'

export const CHANGES = ['create', 'start', 'stop', 'delete'] as const
export type Change = (typeof CHANGES)[number]

export interface EmulatorStep {
  atMs: number
  avd: string
  change: Change
  door: 'http' | 'cli'
}

export type EmulatorTrouble = { atMs: number; forMs: number } & (
  | { does: 'kill' | 'freeze' | 'terminate'; what: 'serve' | 'client' | 'tool' | 'emulator' }
  | { does: 'restart-adb' }
)

export interface EmulatorPlan {
  seed: number
  trial: number
  /** Those that are there from the beginning; the others are not. */
  present: readonly string[]
  avds: readonly string[]
  steps: readonly EmulatorStep[]
  troubles: readonly EmulatorTrouble[]
  /** How long the tools and the emulators take. */
  createMs: number
  deleteMs: number
  bootMs: number
  endMs: number
}

const CHAOS_MS = 6_000
const AVDS = ['one', 'two', 'three'] as const
/** Apart from the streams of the other trials. */
const STREAM = 1_000_003

const listOf = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

const troubleOf = (random: Random): EmulatorTrouble => {
  const time = { atMs: random.int(0, CHAOS_MS), forMs: random.int(100, 2_000) }
  if (random.chance(0.2)) return { ...time, does: 'restart-adb' }
  const what = random.pick(['serve', 'serve', 'client', 'tool', 'emulator'] as const)
  return { ...time, does: random.pick(['kill', 'kill', 'freeze', 'terminate'] as const), what }
}

export const emulatorPlanOf = (seed: number, trial: number): EmulatorPlan => {
  const random = randomOf(seed, trial * STREAM)
  return {
    seed,
    trial,
    avds: AVDS,
    present: AVDS.filter(() => random.chance(0.7)),
    steps: listOf(random.int(8, 14), () => ({
      atMs: random.int(0, CHAOS_MS),
      avd: random.pick(AVDS),
      change: random.pick(['create', 'start', 'start', 'stop', 'delete'] as const),
      door: random.pick(['http', 'http', 'cli'] as const),
    })),
    troubles: listOf(random.int(2, 5), () => troubleOf(random)),
    createMs: random.int(0, 1_000),
    deleteMs: random.int(0, 1_000),
    bootMs: random.int(0, 2_000),
    endMs: random.int(0, 800),
  }
}
