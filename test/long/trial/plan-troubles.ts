/** What breaks in a trial beside the kills: processes that stand still or are told to end, links, the disk, the clock, the adb server. */
import type { Kind } from './plan.ts'
import type { Random } from './random.ts'

/** What a trial runs in; each brings troubles that only it can have. */
export const SETTINGS = ['plain', 'adb', 'plain', 'disk', 'builds', 'clock', 'container'] as const
export type Setting = (typeof SETTINGS)[number]

/** In turn, so that a few trials have all of them. */
export const settingOf = (trial: number): Setting => SETTINGS[trial % SETTINGS.length] ?? 'plain'

export const SIGNALS = ['SIGHUP', 'SIGTERM', 'SIGINT'] as const

interface Victim {
  /** The first kind that has a live process is hit. */
  order: readonly Kind[]
  /** Which of the servers, if one is hit. */
  server: number
}

export type Trouble = { atMs: number; forMs: number } & (
  | ({ does: 'freeze' } & Victim)
  | ({ does: 'signal'; signal: (typeof SIGNALS)[number] } & Victim)
  | { does: 'cut'; how: 'silent' | 'loud'; device: number }
  | { does: 'slow'; byMs: number; device: number }
  | { does: 'fill-disk' }
  | { does: 'move-clock'; byMs: number }
  | { does: 'restart-adb' }
)
export type TroubleKind = Trouble['does']

const LONGEST_MS = 3_000
const [SECONDS_MS, HOUR_MS] = [30_000, 3_600_000]

interface Around {
  setting: Setting
  devices: number
  servers: number
  kinds: readonly Kind[]
  loadMs: number
}

const OF_SETTING: Partial<Record<Setting, TroubleKind>> = {
  disk: 'fill-disk',
  clock: 'move-clock',
  adb: 'restart-adb',
}

const troubleOf = (random: Random, { devices, servers, kinds, loadMs }: Around, does: TroubleKind): Trouble => {
  const time = { atMs: random.int(0, loadMs), forMs: random.int(100, LONGEST_MS) }
  const victim = { order: random.shuffle(kinds), server: random.int(0, servers - 1) }
  const device = random.int(0, devices - 1)
  if (does === 'freeze') return { ...time, does, ...victim }
  if (does === 'signal') return { ...time, does, signal: random.pick(SIGNALS), ...victim }
  if (does === 'cut') return { ...time, does, how: random.pick(['silent', 'loud']), device }
  if (does === 'slow') return { ...time, does, byMs: random.int(20, 400), device }
  if (does === 'move-clock') return { ...time, does, byMs: random.pick([-HOUR_MS, -SECONDS_MS, SECONDS_MS, HOUR_MS]) }
  return { ...time, does }
}

export const troublesOf = (random: Random, around: Around): Trouble[] => {
  const own = OF_SETTING[around.setting]
  const any = Array.from({ length: random.int(0, 3) }, () => random.pick(['freeze', 'signal', 'cut', 'slow'] as const))
  const ofSetting = own === undefined ? [] : Array.from({ length: random.int(1, 2) }, () => own)
  return [...any, ...ofSetting].map(does => troubleOf(random, around, does))
}
