/** The tools of the actions that the host performs, few with a verb each: `gesture` and `dialog`. */
import type { ToolArguments } from '../../../contracts/doors/mcp.ts'
import { defined } from '../../../contracts/json/json.ts'
import { type Draft, draftOf, matcherFrom, shadeAction } from '../../../service/executions/actions/flat-actions.ts'
import { type Tool, tool } from '../tool.ts'
import { act, misuse } from './act.ts'

type Given = ToolArguments<'gesture'>

interface DraftPlace {
  matcher?: unknown
  coordinate?: { x: number; y: number }
}

type Placed = { place: DraftPlace } | { problem: string }

const NAMES = { from: ['x', 'y', 'a selector'], to: ['toX', 'toY', 'toRef or toText'] } as const

/** A node or a point, exactly one of them. */
const placed = (end: keyof typeof NAMES, matcher: unknown, x?: number, y?: number): Placed => {
  const [left, top, selector] = NAMES[end]
  if ((x === undefined) !== (y === undefined)) return { problem: `${left} and ${top} belong together` }
  const coordinate = x === undefined || y === undefined ? undefined : { x, y }
  if (matcher === undefined && !coordinate) return { problem: `${selector}, or ${left} and ${top}, is missing` }
  if (matcher !== undefined && coordinate) return { problem: `${selector} and a point cannot be combined` }
  return { place: defined({ matcher, coordinate }) }
}

const fromOf = (args: Given) => placed('from', matcherFrom(args), args.x, args.y)
const toOf = ({ toRef, toText, toX, toY }: Given) => placed('to', matcherFrom({ ref: toRef, text: toText }), toX, toY)

const dragOf = (args: Given): Draft | string => {
  const [from, to] = [fromOf(args), toOf(args)]
  if ('problem' in from) return from.problem
  return 'problem' in to ? to.problem : draftOf('drag', { from: from.place, to: to.place })
}

const touchOf = (args: Given, draft: (place: DraftPlace) => Draft | string): Draft | string => {
  const found = fromOf(args)
  return 'problem' in found ? found.problem : draft(found.place)
}

const DRAFTS: Readonly<Record<Given['gesture'], (args: Given) => Draft | string>> = {
  double_tap: args => touchOf(args, place => draftOf('double_tap', place)),
  drag: dragOf,
  pinch: args =>
    touchOf(args, place =>
      args.scale === undefined ? 'scale is missing' : draftOf('pinch', { ...place, scale: args.scale }),
    ),
  hide_keyboard: () => draftOf('hide_keyboard'),
  notifications: () => shadeAction('notifications'),
  quick_settings: () => shadeAction('quick_settings'),
  close_shade: () => shadeAction('close'),
}

const gesture = tool({
  name: 'gesture',
  description:
    'double_tap, drag (to toRef, toText or toX, toY) or pinch (scale above 1 opens) a node or point; keyboard; shade.',
  annotations: { performs: ['double_tap', 'drag', 'pinch', 'hide_keyboard', 'expand_shade', 'collapse_shade'] },
  run(args, call) {
    const draft = DRAFTS[args.gesture](args)
    return typeof draft === 'string' ? Promise.resolve(misuse('gesture', draft)) : act('gesture', draft, args, call)
  },
})

const dialog = tool({
  name: 'dialog',
  description: 'Answer the dialog in front: accept, dismiss, or the label of a button.',
  annotations: { performs: ['answer_dialog'] },
  run: (args, call) =>
    act(
      'dialog',
      draftOf('answer_dialog', { answer: args.answer }),
      args,
      call,
      ({ button = '' }) => `chose ${JSON.stringify(button)}`,
    ),
})

export const GESTURE_TOOLS: readonly Tool[] = [gesture, dialog]
