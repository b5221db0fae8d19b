/** `svc double-tap`, `svc drag`, `svc pinch`. */
import { parseJsonText } from '../../../service/executions/parse-json.ts'
import { quoted } from '../../../service/executions/validation/show.ts'
import { CommandError, type Given } from '../command.ts'
import { type FlatCommand, misuse, SELECTOR_FLAGS } from './command.ts'
import { DURATION, NUMBER, POINT_LIKE, type Point, pointOf, TARGET, touchOf } from './pointer.ts'
import { REF_LIKE } from './short-selector.ts'

/** A node or a point; still to be validated. */
type DraftPlace = { matcher: unknown } | { coordinate: Point }

const COORDINATE_FLAG = { name: 'coordinate', value: 'x y', summary: 'the point, in pixels from the top left' }

export const doubleTap: FlatCommand = {
  type: 'double_tap',
  path: ['double-tap'],
  shape: 'svc double-tap (<label> | <@ref> | <x> <y> | <selector>)',
  summary: 'tap a node or a point twice',
  details: 'Before Android 12 this needs the helper that svc operator install puts on the device.',
  args: [TARGET],
  flags: [...SELECTOR_FLAGS, COORDINATE_FLAG],
  examples: ['svc double-tap "Photo"', 'svc double-tap 540 1200'],
  params: call => touchOf(call, doubleTap),
}

const END_HINT =
  'Name each end by a label, a ref such as @12.7, --from-point/--to-point x,y or --from-selector/--to-selector <json>.'

/** The end that the flags name; undefined where they name none. */
const endOfFlags = (call: Given, end: 'from' | 'to'): DraftPlace | undefined => {
  const point = call.text(`${end}-point`)
  const json = call.text(`${end}-selector`)
  if (point !== undefined && json !== undefined) {
    throw misuse(drag, `--${end}-point and --${end}-selector cannot be combined`, END_HINT)
  }
  if (json !== undefined) {
    const parsed = parseJsonText(json, { what: `--${end}-selector` })
    if (!parsed.ok) throw new CommandError('EXECUTION_VALIDATION_FAILED', parsed.error.message, parsed.error)
    return { matcher: parsed.value }
  }
  if (point === undefined) return undefined
  const [, x, y] = POINT_LIKE.exec(point) ?? []
  if (x === undefined || y === undefined) throw misuse(drag, `--${end}-point takes x,y`, END_HINT)
  return { coordinate: pointOf([x, y], `actions.0.params.${end}.coordinate`, `--${end}-point`) }
}

const endOfWord = (word: string | undefined, end: 'from' | 'to'): DraftPlace => {
  if (word === undefined) throw misuse(drag, `the ${end === 'from' ? 'start' : 'end'} of the drag is missing`, END_HINT)
  const [, x, y] = POINT_LIKE.exec(word) ?? []
  if (x !== undefined) {
    const hint = `For the point: --${end}-point ${x},${y}. For the label: --${end}-selector '{"textEquals": ${quoted(word)}}'`
    throw misuse(drag, `${quoted(word)} can be a point or a label`, hint)
  }
  return { matcher: REF_LIKE.test(word) ? { ref: word } : { textEquals: word } }
}

const endsOf = (call: Given): { from: DraftPlace; to: DraftPlace } => {
  const [from, to] = [endOfFlags(call, 'from'), endOfFlags(call, 'to')]
  const [x1 = '', y1 = '', x2 = '', y2 = ''] = call.args
  if (!from && !to && call.args.length === 4 && call.args.every(word => NUMBER.test(word))) {
    return {
      from: { coordinate: pointOf([x1, y1], 'actions.0.params.from.coordinate', '<x1> <y1>') },
      to: { coordinate: pointOf([x2, y2], 'actions.0.params.to.coordinate', '<x2> <y2>') },
    }
  }
  const words = [...call.args]
  const ends = { from: from ?? endOfWord(words.shift(), 'from'), to: to ?? endOfWord(words.shift(), 'to') }
  if (words[0] !== undefined) throw misuse(drag, `${quoted(words[0])} is one argument too many`, END_HINT)
  return ends
}

export const drag: FlatCommand = {
  type: 'drag',
  path: ['drag'],
  shape: 'svc drag (<from> <to> | <x1> <y1> <x2> <y2>) [--hold <ms>] [--duration <ms>]',
  summary: 'hold a node or a point, move it to another and drop it there',
  args: [
    {
      name: 'ends',
      shape: '[from to|x1 y1 x2 y2]',
      summary: 'two nodes, each by its exact label or a ref, or two points in pixels',
      rest: true,
    },
  ],
  flags: [
    { name: 'from-point', value: 'x,y', summary: 'the start as a point' },
    { name: 'from-selector', value: 'json', summary: 'the start as a matcher, {"textEquals": "Card", ...}' },
    { name: 'to-point', value: 'x,y', summary: 'the end as a point' },
    { name: 'to-selector', value: 'json', summary: 'the end as a matcher' },
    {
      name: 'hold',
      value: 'ms',
      summary: 'how long the finger rests before it moves, 0-10000 (default 500)',
      param: 'holdMs',
      isNumber: true,
    },
    { ...DURATION, summary: 'how long the movement takes, 1-10000 (default 600)' },
  ],
  examples: ['svc drag "Card" "Done"', 'svc drag @12.7 --to-point 540,1600', 'svc drag 540 1600 540 400 --hold 0'],
  params: endsOf,
}

export const pinch: FlatCommand = {
  type: 'pinch',
  path: ['pinch'],
  shape: 'svc pinch (<label> | <@ref> | <x> <y> | <selector>) --scale <number> [--duration <ms>]',
  summary: 'part two fingers, or close them',
  details:
    'It needs the helper: svc operator install, then --operator-package svc.uiautomator where it is not the default.',
  args: [TARGET],
  flags: [
    ...SELECTOR_FLAGS,
    COORDINATE_FLAG,
    {
      name: 'scale',
      value: 'number',
      summary: 'above 1 opens, below 1 closes, 0.1-10',
      param: 'scale',
      isNumber: true,
    },
    { ...DURATION, summary: 'how long the gesture takes, 50-10000 (default 400)' },
  ],
  examples: ['svc pinch "Map" --scale 2', 'svc pinch 540 1200 --scale 0.5'],
  params(call) {
    if (!call.isOn('scale')) throw misuse(pinch, '--scale is missing', 'Above 1 opens, below 1 closes: --scale 2')
    return touchOf(call, pinch)
  },
}
