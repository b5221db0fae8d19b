/** `svc click`, `svc swipe`, `svc scroll`, `svc scroll-until`. */
import { DIRECTIONS } from '../../../contracts/json/literals.ts'
import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { quoted } from '../../../service/executions/validation/show.ts'
import type { Given } from '../command.ts'
import { numberOf } from '../flags/flag-values.ts'
import { CONTAINER_FLAGS, containerOf, type FlatCommand, misuse, SELECTOR_FLAGS, SELECTOR_HINT } from './command.ts'
import { inQuotes, NODE_ARGUMENT, NODE_HINT, selectorOf } from './short-selector.ts'

export interface Point {
  x: number
  y: number
}

export const pointOf = ([x, y]: readonly [string, string], field: string, from: string): Point => ({
  x: numberOf(x, { field: `${field}.x`, from }),
  y: numberOf(y, { field: `${field}.y`, from }),
})

export const NUMBER = /^-?\d*\.?\d+$/
/** One word that is two numbers: a point to some, a label such as `1,299` to others. */
export const POINT_LIKE = /^\s*(-?\d+)\s*[,\s]\s*(-?\d+)\s*$/
const COORDINATE = 'actions.0.params.coordinate'

/** The flag takes one word, so the Y of `--coordinate X Y` arrives as an argument; `X,Y` and `"X Y"` are one word. */
const pointOfFlag = (text: string, call: Given, command: FlatCommand): Point => {
  const words = [...text.trim().split(/\s*,\s*|\s+/), ...call.args]
  const [x, y] = words
  if (x === undefined || y === undefined || words.length !== 2) {
    throw misuse(
      command,
      '--coordinate takes two numbers',
      `Give the point alone: svc ${command.path.join(' ')} <x> <y>`,
    )
  }
  return pointOf([x, y], COORDINATE, '--coordinate')
}

/** A point, by the flag or by two numbers; undefined where the arguments are none. */
const coordinateOf = (call: Given, command: FlatCommand): Point | undefined => {
  const text = call.text('coordinate')
  if (text !== undefined) return pointOfFlag(text, call, command)
  const [x = '', y] = call.args
  const called = `svc ${command.path.join(' ')}`
  if (y === undefined) {
    const [, left, top] = POINT_LIKE.exec(x) ?? []
    if (left === undefined) return undefined
    const hint = `For the point: ${called} ${left} ${top}. For the label: ${called} --text ${inQuotes(x)}`
    throw misuse(command, `${quoted(x)} can be a point or a label`, hint)
  }
  if (call.args.length > 2 || !NUMBER.test(x) || !NUMBER.test(y)) return undefined
  return pointOf([x, y], COORDINATE, '<x> <y>')
}

const conflictIn = (call: Given, coordinate: Point | undefined): string | undefined => {
  if (call.isOn('long') && call.isOn('focus')) return '--long and --focus cannot be combined'
  return call.isOn('focus') && coordinate ? '--focus needs a selector, not a point' : undefined
}

const clickType = (call: Given): string | undefined => {
  if (call.isOn('long')) return 'long_click'
  return call.isOn('focus') ? 'focus' : undefined
}

export const TARGET = {
  ...NODE_ARGUMENT,
  name: 'target',
  shape: '[label|@ref|x y]',
  summary: 'the exact label of the node (--text), a ref of a compact snapshot, or a point in pixels',
}

export const DURATION = { name: 'duration', value: 'ms', param: 'durationMs', isNumber: true } as const

/** A node or a point, exactly one of them. */
export const touchOf = (call: Given, command: FlatCommand) => {
  const coordinate = coordinateOf(call, command)
  const conflict = conflictIn(call, coordinate)
  if (conflict !== undefined) throw misuse(command, conflict)
  const matcher = selectorOf(call, command, coordinate ? [] : call.args)
  if (matcher !== undefined && coordinate !== undefined) {
    throw misuse(command, 'a selector and a point cannot be combined')
  }
  if (matcher === undefined && coordinate === undefined) {
    throw misuse(command, 'a label, a point or a selector is missing', NODE_HINT)
  }
  return { matcher, coordinate }
}

export const click: FlatCommand = {
  type: 'click',
  path: ['click'],
  shape: 'svc click (<label> | <@ref> | <x> <y> | <selector>) [--long | --focus]',
  summary: 'click a node or a point',
  args: [TARGET],
  flags: [
    ...SELECTOR_FLAGS,
    { name: 'coordinate', value: 'x y', summary: 'the point to click, in pixels from the top left' },
    { name: 'long', summary: 'long press' },
    { name: 'focus', summary: 'focus the node instead of clicking it' },
  ],
  examples: [
    'svc click "About phone"',
    'svc click @12.7 --observe',
    'svc click 540 1200',
    'svc click --id com.example:id/ok --long',
  ],
  params: call => ({ ...touchOf(call, click), clickType: clickType(call) }),
}

export const swipe: FlatCommand = {
  type: 'swipe',
  path: ['swipe'],
  shape: 'svc swipe <x1> <y1> <x2> <y2> [--duration <ms>]',
  summary: 'swipe from one point to another',
  args: [
    { name: 'x1', summary: 'start, in pixels from the left', required: true },
    { name: 'y1', summary: 'start, in pixels from the top', required: true },
    { name: 'x2', summary: 'end, in pixels from the left', required: true },
    { name: 'y2', summary: 'end, in pixels from the top', required: true },
  ],
  flags: [{ ...DURATION, summary: 'how long the swipe takes, 1-10000 (default 300)' }],
  examples: ['svc swipe 540 1600 540 400', 'svc swipe 900 800 100 800 --duration 150'],
  params({ args: [x1 = '', y1 = '', x2 = '', y2 = ''] }) {
    const start = pointOf([x1, y1], 'actions.0.params.start', '<x1> <y1>')
    return { start, end: pointOf([x2, y2], 'actions.0.params.end', '<x2> <y2>') }
  },
}

const DIRECTION = { name: 'direction', summary: `${DIRECTIONS.join(', ')} (default down)`, kind: 'direction' } as const

export const scroll: FlatCommand = {
  type: 'scroll',
  path: ['scroll'],
  shape: 'svc scroll [down|up|left|right] [<container selector>]',
  summary: 'scroll once',
  args: [{ ...DIRECTION, param: 'direction' }],
  flags: CONTAINER_FLAGS,
  examples: ['svc scroll', 'svc scroll up --container-id com.android.settings:id/list'],
  params: call => ({ container: containerOf(call, scroll) }),
}

/** A label that is written like a direction needs `--text`. */
const mayBeDirection = (word: string): boolean =>
  (DIRECTIONS as readonly string[]).includes(word) || (/^\p{Ll}+$/u.test(word) && didYouMean(word, DIRECTIONS) !== '')

export const scrollUntil: FlatCommand = {
  type: 'scroll_until',
  path: ['scroll-until'],
  shape: 'svc scroll-until [down|up|left|right] [(<label> | <@ref> | <selector>) [--click]] [<container selector>]',
  summary: 'scroll until a node is on the screen or the end is reached',
  args: [DIRECTION, NODE_ARGUMENT],
  flags: [
    ...SELECTOR_FLAGS,
    { name: 'click', summary: 'click the node once it is found', param: 'clickAfter' },
    ...CONTAINER_FLAGS,
  ],
  examples: ['svc scroll-until "About phone" --click', 'svc scroll-until up --id com.example:id/first'],
  params(call) {
    const [first, ...rest] = call.args
    const direction = first !== undefined && mayBeDirection(first) ? first : undefined
    const matcher = selectorOf(call, scrollUntil, direction === undefined ? call.args : rest, direction)
    if (call.isOn('click') && matcher === undefined) {
      throw misuse(scrollUntil, '--click needs a selector', SELECTOR_HINT)
    }
    return { matcher, direction, container: containerOf(call, scrollUntil) }
  },
}
