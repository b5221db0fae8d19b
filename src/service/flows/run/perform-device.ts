/** Commands on the phone beside its screen. */
import type { PhoneStep } from '../phones.ts'
import { type FlowCommandContext, MARGIN_MS, type Perform, passed, settle } from './commands.ts'
import { failed } from './failure.ts'
import { settingOf } from './perform-assert.ts'

/** How often a phone on its way is told where it is. */
const STEP_MS = 1_000
/** The sleeps and changes of one execution stay below what it may take. */
const STEPS_AT_ONCE = 20
/** A day. */
const TRAVEL_SECONDS_MAX = 86_400
const EARTH_METERS = 6_371_000

interface Position {
  readonly latitude: number
  readonly longitude: number
}

const change = (setting: string, value: unknown) => ({ type: 'change_setting', params: { setting, value } })

const set = async (context: FlowCommandContext, setting: string, value: unknown, isRelative = false) => {
  passed(await context.call([change(setting, value), settle()], { timeoutMs: MARGIN_MS, observe: true, isRelative }))
}

const toggle = async (context: FlowCommandContext, setting: string) =>
  set(context, setting, (await settingOf(context, setting)) !== true, true)

const radians = (degrees: number) => (degrees * Math.PI) / 180

const metersBetween = (from: Position, to: Position): number => {
  const [a, b] = [radians(from.latitude), radians(to.latitude)]
  const half = (angle: number) => Math.sin(angle / 2) ** 2
  const h = half(b - a) + Math.cos(a) * Math.cos(b) * half(radians(to.longitude - from.longitude))
  return 2 * EARTH_METERS * Math.asin(Math.min(1, Math.sqrt(h)))
}

const secondsBetween = (from: Position, to: Position, metersPerSecond: number): number =>
  Math.max(1, Math.ceil(metersBetween(from, to) / metersPerSecond / (STEP_MS / 1_000)))

/** How many positions a way has. */
export const secondsOn = (points: readonly Position[], metersPerSecond: number): number =>
  points.reduce((sum, to, at) => {
    const from = points[at - 1]
    return sum + (from === undefined ? 1 : secondsBetween(from, to, metersPerSecond))
  }, 0)

/** The positions of a way, one for each second of it, with its last point; each is made when it is due. */
export function* positionsOn(points: readonly Position[], metersPerSecond: number): Generator<Position> {
  for (const [at, to] of points.entries()) {
    const from = points[at - 1]
    if (from === undefined) {
      yield to
      continue
    }
    const seconds = secondsBetween(from, to, metersPerSecond)
    for (let second = 1; second <= seconds; second++) {
      const part = second / seconds
      yield {
        latitude: from.latitude + (to.latitude - from.latitude) * part,
        longitude: from.longitude + (to.longitude - from.longitude) * part,
      }
    }
  }
}

type DeviceCommand =
  | 'setLocation'
  | 'travel'
  | 'setOrientation'
  | 'setAirplaneMode'
  | 'toggleAirplaneMode'
  | 'setDarkMode'
  | 'toggleDarkMode'
  | 'addMedia'

export const DEVICE = {
  setLocation: ({ latitude, longitude }, context) => set(context, 'location', { latitude, longitude }),
  async travel({ points, metersPerSecond }, context) {
    const seconds = secondsOn(points, metersPerSecond)
    if (seconds > TRAVEL_SECONDS_MAX) {
      const fact = `The way takes ${seconds} s at ${metersPerSecond} m/s, and travel may take ${TRAVEL_SECONDS_MAX} s.`
      throw failed('FLOW_INVALID', `${fact} Set a higher speed, or name points that are nearer.`)
    }
    let steps: PhoneStep[] = []
    const send = async () => {
      passed(await context.call(steps, { timeoutMs: STEPS_AT_ONCE * STEP_MS + 2 * MARGIN_MS }))
      steps = []
    }
    for (const position of positionsOn(points, metersPerSecond)) {
      steps.push(change('location', position), { type: 'sleep', params: { durationMs: STEP_MS } })
      if (steps.length === 2 * STEPS_AT_ONCE) await send()
    }
    if (steps.length > 0) await send()
  },
  setOrientation: ({ orientation }, context) => set(context, 'orientation', orientation),
  setAirplaneMode: ({ enabled }, context) => set(context, 'airplane_mode', enabled),
  toggleAirplaneMode: (_, context) => toggle(context, 'airplane_mode'),
  setDarkMode: ({ enabled }, context) => set(context, 'dark_mode', enabled),
  toggleDarkMode: (_, context) => toggle(context, 'dark_mode'),
  async addMedia({ files }, context) {
    for (const file of files) await context.reads(file)
    passed(await context.call([{ type: 'add_media', params: { paths: files } }], { timeoutMs: 4 * MARGIN_MS }))
  },
} satisfies { [Name in DeviceCommand]: Perform<Name> }
