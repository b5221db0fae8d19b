/** Taps, swipes and scrolling with the defaults of flows. */
import { directionOf, swipeMsOf, tapDelayOf, tapsOf, timeoutOf } from '../coerce.ts'
import type { Action, TapParams } from '../command.ts'
import { TAPS_MS_MAX } from '../limits.ts'
import { object } from './context.ts'
import type { Values } from './values.ts'

/** Between the taps of a double tap too, where the flow says nothing else. */
export const TAP_DELAY_MS = 100
const SETTLE_MS_MAX = 30_000
const SWIPE_MS = 400
const SCROLL_MS = 20_000
const SCROLL_SPEED = 40
const SCROLL_SPEED_MAX = 100
const FULL_PERCENTAGE = 100

const settleMsOf = async ({ integer }: Values): Promise<number | undefined> => {
  const settleMs = await integer('waitToSettleTimeoutMs')
  return settleMs === undefined ? undefined : Math.min(Math.max(settleMs, 0), SETTLE_MS_MAX)
}

export const tapOf = async (values: Values): Promise<TapParams> => {
  const { value, flag, work, command } = values
  const [given, delay] = [await value('repeat', tapsOf), await value('delay', tapDelayOf)]
  const repeat = given === undefined || given <= 0 ? 1 : given
  const delayMs = delay === undefined || delay < 0 ? TAP_DELAY_MS : delay
  const ms = (repeat - 1) * delayMs
  if (ms > TAPS_MS_MAX) {
    const fact = `The pauses between ${repeat} taps take ${ms} ms, and those of one ${command.key} may take ${TAPS_MS_MAX} ms`
    object(work, command.place, `${fact}.`, 'Lower repeat or delay, or put the command into a repeat.')
  }
  return {
    selector: await values.selector('selector'),
    point: await values.point('point'),
    repeat,
    delayMs,
    retryIfNoChange: (await flag('retryTapIfNoChange')) ?? false,
    waitUntilVisible: (await flag('waitUntilVisible')) ?? false,
    settleMs: await settleMsOf(values),
  }
}

export const doubleTapOf = async (values: Values): Promise<TapParams> => ({ ...(await tapOf(values)), repeat: 2 })

export const swipeOf = async (values: Values): Promise<Action> => {
  const { value, point, selector, work, command } = values
  const [start, end, from] = [await point('start'), await point('end'), await selector('from')]
  const direction = (await value('direction', directionOf)) ?? 'up'
  if (start !== undefined && end !== undefined && start.unit !== end.unit) {
    object(work, command.place, 'swipe needs start and end both in percent, or both in pixels.')
  }
  const at = await point('point')
  return {
    name: 'swipe',
    by:
      start !== undefined && end !== undefined
        ? { start, end }
        : from !== undefined
          ? { from, direction, point: at }
          : { direction },
    durationMs: (await value('duration', swipeMsOf)) ?? SWIPE_MS,
    settleMs: await settleMsOf(values),
  }
}

export const scrollUntilVisibleOf = async (values: Values): Promise<Action> => {
  const { value, integer } = values
  const [timeout, speed] = [await value('timeout', timeoutOf), await integer('speed')]
  const percentage = (await integer('visibilityPercentage')) ?? FULL_PERCENTAGE
  return {
    name: 'scrollUntilVisible',
    selector: (await values.selector('element')) ?? {},
    direction: (await value('direction', directionOf)) ?? 'down',
    timeoutMs: timeout === undefined || timeout < 0 ? SCROLL_MS : timeout,
    speed: speed === undefined || speed < 0 || speed > SCROLL_SPEED_MAX ? SCROLL_SPEED : speed,
    visibilityPercentage: Math.min(Math.max(percentage, 0), FULL_PERCENTAGE),
    centerElement: (await values.flag('centerElement')) ?? false,
    settleMs: await settleMsOf(values),
  }
}
