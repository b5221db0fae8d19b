/** The tools of the actions that the host performs, few with a verb each: `gesture` and `dialog`. */
import type { ToolArguments } from '../../../contracts/doors/mcp.ts'
import { type Draft, draftOf, matcherFrom, shadeAction } from '../../../service/executions/actions/flat-actions.ts'
import { type Tool, tool } from '../tool.ts'
import { act, actionTool, misuse, placeOf } from './act.ts'

type Given = ToolArguments<'gesture'>

const fromOf = (args: Given) => placeOf(matcherFrom(args), [args.x, args.y])

const dragOf = (args: Given): Draft | string => {
  const { toRef, toText, toX, toY } = args
  const from = fromOf(args)
  const to = placeOf(matcherFrom({ ref: toRef, text: toText }), [toX, toY], ['toRef or toText', 'toX', 'toY'])
  if (typeof from === 'string') return from
  return typeof to === 'string' ? to : draftOf('drag', { from, to })
}

const touchOf = (args: Given, draft: (place: { matcher?: unknown }) => Draft | string): Draft | string => {
  const place = fromOf(args)
  return typeof place === 'string' ? place : draft(place)
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

const dialog = actionTool({
  name: 'dialog',
  type: 'answer_dialog',
  description: 'Answer the dialog in front: accept, dismiss, or the label of a button.',
  params: ({ answer }) => ({ answer }),
  says: ({ button = '' }) => `chose ${JSON.stringify(button)}`,
})

export const GESTURE_TOOLS: readonly Tool[] = [gesture, dialog]
