/** Taps, swipes and scrolling with the defaults of flows. */
import { directionOf } from '../coerce.ts'
import type { Action, TapParams } from '../command.ts'
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
  const given = await integer('waitToSettleTimeoutMs')
  return given === undefined ? undefined : Math.min(Math.max(given, 0), SETTLE_MS_MAX)
}

export const tapOf = async (values: Values): Promise<TapParams> => {
  const { integer, flag } = values
  const [repeat, delay] = [await integer('repeat'), await integer('delay')]
  return {
    selector: await values.selector('selector'),
    point: await values.point('point'),
    repeat: repeat === undefined || repeat <= 0 ? 1 : repeat,
    delayMs: delay === undefined || delay < 0 ? TAP_DELAY_MS : delay,
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
    durationMs: (await values.count('duration')) ?? SWIPE_MS,
    settleMs: await settleMsOf(values),
  }
}

export const scrollUntilVisibleOf = async (values: Values): Promise<Action> => {
  const { integer } = values
  const [timeout, speed] = [await integer('timeout'), await integer('speed')]
  const percentage = (await integer('visibilityPercentage')) ?? FULL_PERCENTAGE
  return {
    name: 'scrollUntilVisible',
    selector: (await values.selector('element')) ?? {},
    direction: (await values.value('direction', directionOf)) ?? 'down',
    timeoutMs: timeout === undefined || timeout < 0 ? SCROLL_MS : timeout,
    speed: speed === undefined || speed < 0 || speed > SCROLL_SPEED_MAX ? SCROLL_SPEED : speed,
    visibilityPercentage: Math.min(Math.max(percentage, 0), FULL_PERCENTAGE),
    centerElement: (await values.flag('centerElement')) ?? false,
    settleMs: await settleMsOf(values),
  }
}
