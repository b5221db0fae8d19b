/** `svc click`, `svc swipe`. */
import { quoted } from '../validation/show.ts'
import { accepted, type FlatCall, type FlatCommand, given, type Result, usage } from './command.ts'
import { numberOf } from './numbers.ts'
import { matcherOf, SELECTOR_FLAGS, SELECTOR_HINT } from './selectors.ts'

interface Point {
  x: number
  y: number
}

const pointOf = ([x, y]: readonly [string, string], field: string, from: string): Result<Point> => {
  const across = numberOf(x, { field: `${field}.x`, from })
  if (!across.ok) return across
  const down = numberOf(y, { field: `${field}.y`, from })
  return down.ok ? accepted({ x: across.value, y: down.value }) : down
}

/** The flag takes one word, so the Y of `--coordinate X Y` arrives as an argument; `X,Y` and `"X Y"` are one word. */
const coordinateOf = (call: FlatCall, command: FlatCommand): Result<Point | undefined> => {
  const text = call.text('coordinate')
  if (text === undefined) {
    const [extra] = call.args
    return extra === undefined
      ? accepted(undefined)
      : usage(command, `${quoted(extra)} is an argument too many without --coordinate`, SELECTOR_HINT)
  }
  const words = [...text.trim().split(/\s*,\s*|\s+/), ...call.args]
  const [x, y] = words
  if (x === undefined || y === undefined || words.length !== 2) return usage(command, '--coordinate takes two numbers')
  return pointOf([x, y], 'actions.0.params.coordinate', '--coordinate')
}

const conflictIn = (call: FlatCall): string | undefined => {
  if (call.isOn('long') && call.isOn('focus')) return '--long and --focus exclude each other'
  const focusesPoint = call.isOn('focus') && call.text('coordinate') !== undefined
  return focusesPoint ? '--focus needs a selector: a coordinate has nothing to focus' : undefined
}

const clickType = (call: FlatCall): string | undefined => {
  if (call.isOn('long')) return 'long_click'
  return call.isOn('focus') ? 'focus' : undefined
}

export const click: FlatCommand = {
  path: ['click'],
  shape: 'svc click (<selector> | --coordinate <x> <y>) [--long | --focus]',
  summary: 'click a node or a point',
  args: [{ name: 'y', summary: 'the second number of --coordinate <x> <y>' }],
  flags: [
    ...SELECTOR_FLAGS,
    { name: 'coordinate', value: 'x y', summary: 'the point to click, in pixels from the top left' },
    { name: 'long', summary: 'press longer' },
    { name: 'focus', summary: 'move the focus there without a click' },
  ],
  examples: ['svc click --text "Wi-Fi"', 'svc click --id com.example:id/ok --long', 'svc click --coordinate 540 1200'],
  draft(call) {
    const conflict = conflictIn(call)
    if (conflict !== undefined) return usage(click, conflict)
    const matcher = matcherOf(call, click)
    if (!matcher.ok) return matcher
    const coordinate = coordinateOf(call, click)
    if (!coordinate.ok) return coordinate
    const [node, point] = [matcher.value, coordinate.value]
    if (node === undefined && point === undefined)
      return usage(click, 'a selector or --coordinate is missing', SELECTOR_HINT)
    if (node !== undefined && point !== undefined) return usage(click, 'a selector and --coordinate exclude each other')
    const params = given({ matcher: node, coordinate: point, clickType: clickType(call) })
    return accepted({ type: 'click', params })
  },
}

export const swipe: FlatCommand = {
  path: ['swipe'],
  shape: 'svc swipe <x1> <y1> <x2> <y2> [--duration <ms>]',
  summary: 'swipe from one point to another',
  args: [
    { name: 'x1', summary: 'where it starts, in pixels from the left', required: true },
    { name: 'y1', summary: 'and from the top', required: true },
    { name: 'x2', summary: 'where it ends, in pixels from the left', required: true },
    { name: 'y2', summary: 'and from the top', required: true },
  ],
  flags: [{ name: 'duration', value: 'ms', summary: 'how long the swipe takes, 1-10000 (default 300)' }],
  examples: ['svc swipe 540 1600 540 400', 'svc swipe 900 800 100 800 --duration 150'],
  draft(call) {
    const [x1 = '', y1 = '', x2 = '', y2 = ''] = call.args
    const start = pointOf([x1, y1], 'actions.0.params.start', '<x1> <y1>')
    if (!start.ok) return start
    const end = pointOf([x2, y2], 'actions.0.params.end', '<x2> <y2>')
    if (!end.ok) return end
    const params = { start: start.value, end: end.value }
    const duration = call.text('duration')
    if (duration === undefined) return accepted({ type: 'swipe', params })
    const durationMs = numberOf(duration, { field: 'actions.0.params.durationMs', from: '--duration' })
    return durationMs.ok ? accepted({ type: 'swipe', params: { ...params, durationMs: durationMs.value } }) : durationMs
  },
}
