/** Commands that touch the screen or type. */
import { EXECUTION_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'
import type { FlowPoint } from '../language/command.ts'
import { TAP_DELAY_MS } from '../language/evaluate/settle-gesture.ts'
import { ONE_WAIT_MS_MAX } from '../language/limits.ts'
import type { PhoneStep } from '../phones.ts'
import { keepCopiedText, keepText } from './attempt.ts'
import {
  type ActionNamed,
  type CallAnswer,
  elementLookup,
  type FlowCommandContext,
  foundOrFailed,
  MARGIN_MS,
  matcherOf,
  notFoundToTheEnd,
  type Perform,
  passed,
  settle,
  waitFor,
} from './commands.ts'

const LONG_PRESS_MS = 3_000
/** One vertical scroll, wherever on the screen something scrolls. */
const SCROLL: PhoneStep = { type: 'swipe', params: { direction: 'up' } }
/** More scrolls than a list that ends can take: the time ends it. */
const SCROLLS_MAX = 200
/** So many scrolls without a change end it. */
const STILL_SCROLLS = 20
/** One step types no more: a character may count as two. */
const TYPED_AT_ONCE = 250
/** An execution has room for so many of these steps, however long their characters are in JSON. */
const PARTS_AT_ONCE = 40

/** These keys may put the screen out, which nobody then sees come to rest. */
const SCREEN_KEYS: readonly string[] = ['power', 'sleep', 'soft_sleep']

type Tap = ActionNamed<'tapOn' | 'doubleTapOn' | 'longPressOn'>

/** 1 is the slowest and 100 the fastest. */
const scrollMs = (speed: number): number => Math.max(1, Math.round((1_000 * (100 - speed)) / 100) + 1)

const pointOf = ({ x, y, unit }: FlowPoint) => ({ x, y, unit })

/** Pixels of the screen are a coordinate. */
const placeOf = ({ selector, point }: Pick<Tap, 'selector' | 'point'>) => {
  if (selector === undefined && point?.unit === 'pixel') return { coordinate: { x: point.x, y: point.y } }
  return {
    ...(selector === undefined ? {} : { matcher: matcherOf(selector) }),
    ...(point === undefined ? {} : { point: pointOf(point) }),
  }
}

const touchOf = ({ name, selector, point, repeat, delayMs }: Tap): PhoneStep => {
  const place = placeOf({ selector, point })
  if (name === 'doubleTapOn' && delayMs === TAP_DELAY_MS) return { type: 'double_tap', params: place }
  const press = name === 'longPressOn' ? { clickType: 'long_click', holdMs: LONG_PRESS_MS } : {}
  const repeats = repeat > 1 ? { repeat, repeatDelayMs: delayMs } : {}
  return { type: 'click', params: { ...place, ...press, ...repeats } }
}

const touched = (steps: readonly PhoneStep[], settleMs: number | undefined): PhoneStep[] => [...steps, settle(settleMs)]

const LOOK: PhoneStep = { type: 'snapshot' }

/** The screen before the touches and the one after them, where both were read, are the same. */
const isUnchanged = ({ steps }: CallAnswer): boolean => {
  const screens = steps.filter(({ actionType }) => actionType === LOOK.type).map(({ data }) => data.text)
  return screens.length === 2 && screens[0] !== undefined && screens[0] === screens[1]
}

const tap = async (action: Tap, context: FlowCommandContext) => {
  const { selector, repeat, delayMs, settleMs, retryIfNoChange } = action
  const ms = elementLookup(context)
  const touch = touchOf(action)
  const before = selector === undefined ? [] : [waitFor(selector, ms)]
  const compared = retryIfNoChange ? [LOOK] : []
  const steps = [...before, ...compared, ...touched([touch], settleMs), ...compared]
  const timeoutMs = Math.min(EXECUTION_TIMEOUT_MS.max, ms + repeat * (delayMs + 1_000) + MARGIN_MS)
  const first = await context.call(steps, { timeoutMs, observe: true })
  if (selector === undefined) passed(first)
  else foundOrFailed(first, selector, ms)
  if (!retryIfNoChange || !isUnchanged(first)) return
  passed(await context.call(touched([touch], settleMs), { timeoutMs: MARGIN_MS, observe: true }))
}

const swipe: Perform<'swipe'> = async ({ by, durationMs, settleMs }, context) => {
  const timeoutMs = durationMs + MARGIN_MS
  if ('from' in by) {
    const ms = elementLookup(context)
    const { from, direction, point } = by
    const place = { from: { matcher: matcherOf(from) }, ...(point ? { point: pointOf(point) } : {}) }
    const steps = [waitFor(from, ms), { type: 'swipe', params: { ...place, direction, durationMs } }]
    foundOrFailed(await context.call(touched(steps, settleMs), { timeoutMs: timeoutMs + ms, observe: true }), from, ms)
    return
  }
  const way = 'direction' in by ? { direction: by.direction } : { start: pointOf(by.start), end: pointOf(by.end) }
  const steps = touched([{ type: 'swipe', params: { ...way, durationMs } }], settleMs)
  passed(await context.call(steps, { timeoutMs, observe: true }))
}

const typed = async (context: FlowCommandContext, text: string): Promise<void> => {
  if (text === '') return
  const characters = Array.from(text)
  const parts = Array.from({ length: Math.ceil(characters.length / TYPED_AT_ONCE) }, (_, at) =>
    characters.slice(at * TYPED_AT_ONCE, (at + 1) * TYPED_AT_ONCE).join(''),
  )
  const typing = parts.map((part): PhoneStep => ({ type: 'enter_text', params: { text: part, append: true } }))
  for (let at = 0; at < typing.length; at += PARTS_AT_ONCE) {
    const steps = touched(typing.slice(at, at + PARTS_AT_ONCE), undefined)
    passed(await context.call(steps, { timeoutMs: 2 * MARGIN_MS, observe: true }))
  }
}

export const TOUCHES = {
  tapOn: tap,
  doubleTapOn: tap,
  longPressOn: tap,
  swipe,
  async scroll(_, context) {
    passed(await context.call(touched([SCROLL], undefined), { timeoutMs: MARGIN_MS, observe: true }))
  },
  async scrollUntilVisible(action, context) {
    const { selector, direction, timeoutMs, speed, visibilityPercentage, centerElement, settleMs } = action
    const params = {
      matcher: matcherOf(selector),
      direction,
      wholeScreen: true,
      maxScrolls: SCROLLS_MAX,
      swipeDurationMs: scrollMs(speed),
      minVisiblePercent: visibilityPercentage,
      noPositionChangeThreshold: STILL_SCROLLS,
      ...(centerElement ? { centerTarget: true } : {}),
    }
    for (let leftMs = timeoutMs; ; leftMs -= ONE_WAIT_MS_MAX) {
      const maxDurationMs = Math.min(leftMs, ONE_WAIT_MS_MAX)
      const steps = touched([{ type: 'scroll_until', params: { ...params, maxDurationMs } }], settleMs)
      const answer = await context.call(steps, { timeoutMs: maxDurationMs + MARGIN_MS, observe: true })
      const { termination_reason: reason, scrolls_executed: scrolls = '0' } = answer.steps.at(-1)?.data ?? {}
      if (answer.error && reason === 'max_duration' && leftMs > ONE_WAIT_MS_MAX) continue
      if (answer.error && (reason === 'edge_reached' || reason === 'no_position_change'))
        passed(answer, notFoundToTheEnd(selector, Number(scrolls)))
      foundOrFailed(answer, selector, timeoutMs)
      return
    }
  },
  inputText: ({ text }, context) => typed(context, text),
  async inputRandom({ kind, length }, context) {
    const text = await context.random(kind, length)
    keepText(context.attempt.state, text)
    await typed(context, text)
    return { text }
  },
  async eraseText({ characters }, context) {
    if (characters === 0) return
    passed(
      await context.call(touched([{ type: 'erase_text', params: { characters } }], undefined), {
        timeoutMs: MARGIN_MS,
        observe: true,
      }),
    )
  },
  async pasteText(_, context) {
    await typed(context, context.attempt.state.copiedText ?? '')
  },
  async setClipboard({ text }, { attempt }) {
    keepCopiedText(attempt.state, text)
    return { text }
  },
  async copyTextFrom({ selector }, context) {
    const ms = elementLookup(context)
    const steps = [waitFor(selector, ms), { type: 'read_text', params: { matcher: matcherOf(selector), orHint: true } }]
    const answers = foundOrFailed(await context.call(steps, { timeoutMs: ms + MARGIN_MS }), selector, ms)
    const text = answers.at(-1)?.data.text ?? ''
    keepCopiedText(context.attempt.state, text)
    return { text }
  },
  async hideKeyboard(_, context) {
    passed(await context.call([{ type: 'hide_keyboard' }, settle()], { timeoutMs: MARGIN_MS, observe: true }))
  },
  async back(_, context) {
    passed(
      await context.call([{ type: 'press_key', params: { key: 'back' } }, settle()], {
        timeoutMs: MARGIN_MS,
        observe: true,
      }),
    )
  },
  async pressKey({ key }, context) {
    const press: PhoneStep = { type: 'press_key', params: { key } }
    const observe = !SCREEN_KEYS.includes(key)
    passed(await context.call(observe ? [press, settle()] : [press], { timeoutMs: MARGIN_MS, observe }))
  },
} satisfies {
  [Name in
    | 'tapOn'
    | 'swipe'
    | 'scroll'
    | 'scrollUntilVisible'
    | 'inputText'
    | 'inputRandom'
    | 'eraseText'
    | 'pasteText'
    | 'setClipboard'
    | 'copyTextFrom'
    | 'hideKeyboard'
    | 'back'
    | 'pressKey'
    | 'doubleTapOn'
    | 'longPressOn']: Perform<Name>
}
