/** The setting `orientation`: the rotation to which the screen is locked, or that it turns by itself. */

import type { Orientation } from '../../contracts/device/setting-names.ts'
import { pause } from '../../runtime/clock.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import { readKeys, writeKeys } from './keys.ts'
import { askIfKnown, type DeviceSetting, type SettingScope, type SettingState } from './setting.ts'

const AUTO = 'system/accelerometer_rotation'
const ROTATION = 'system/user_rotation'
/** The key tells how the screen was built: wide ones count their quarter turns from landscape. */
const NATURAL = 'natural'

/** By quarter turns, counter-clockwise. */
const OF_TALL: readonly Orientation[] = ['portrait', 'landscape_left', 'upside_down', 'landscape_right']
const OF_WIDE: readonly Orientation[] = ['landscape_left', 'portrait', 'landscape_right', 'upside_down']

const namesIn = (state: SettingState) => (state[NATURAL] === 'wide' ? OF_WIDE : OF_TALL)

const isAuto = (state: SettingState) => Number(state[AUTO] ?? '0') !== 0

/** The system turns the screen within a second, or never: an application may hold its own orientation. */
const TURN_MS = 1_500
const LOOK_AGAIN_MS = 100

const ROTATED = /\bmCurrentRotation=(?:ROTATION_)?(\d+)|\bmRotation=(?:ROTATION_)?(\d+)/
const DEGREES = 90

/** In quarter turns; undefined where the device does not say. */
const presentRotation = async (scope: SettingScope): Promise<number | undefined> => {
  const output = await askIfKnown(scope, ['dumpsys', 'window', 'displays'], { maxBytes: OUTPUT_BYTES_MAX.state })
  const [, current, old] = ROTATED.exec(output ?? '') ?? []
  const turned = current ?? old
  if (turned === undefined) return undefined
  return Number(turned) >= OF_TALL.length ? Number(turned) / DEGREES : Number(turned)
}

/** So that the next step finds the screen laid out. */
const settle = async (scope: SettingScope, rotation: number) => {
  const { clock, signal } = scope.shell.options
  const until = clock.elapsed() + TURN_MS
  for (;;) {
    const present = await presentRotation(scope)
    if (present === rotation || clock.elapsed() >= until) return
    await pause(clock, present === undefined ? TURN_MS : LOOK_AGAIN_MS, signal)
  }
}

export const orientation: DeviceSetting = {
  isOfUser: true,
  async read(scope) {
    const keys = await readKeys(scope, [AUTO, ROTATION])
    const [, width, height] = /^Physical size: (\d+)x(\d+)/m.exec((await askIfKnown(scope, ['wm', 'size'])) ?? '') ?? []
    return { ...keys, [NATURAL]: Number(width ?? 0) > Number(height ?? 0) ? 'wide' : 'tall' }
  },
  valueIn(state) {
    if (isAuto(state)) return 'auto'
    if (state[AUTO] === null && state[ROTATION] === null) return null
    return namesIn(state)[Number(state[ROTATION] ?? '0')] ?? null
  },
  has: (state, value) => orientation.valueIn(state) === value,
  stateFor(value, present) {
    if (value === 'auto') return { ...present, [AUTO]: '1' }
    const turns = namesIn(present).indexOf(value as Orientation)
    return { ...present, [AUTO]: '0', [ROTATION]: String(turns) }
  },
  async write(state, scope) {
    const { [NATURAL]: _, ...keys } = state
    await writeKeys(scope, keys)
    if (!isAuto(state)) await settle(scope, Number(state[ROTATION] ?? '0'))
  },
  /** Turned by itself, the screen keeps its last rotation in the same key. */
  isSame: (one, other) =>
    isAuto(one) ? isAuto(other) : !isAuto(other) && one[AUTO] === other[AUTO] && one[ROTATION] === other[ROTATION],
}
