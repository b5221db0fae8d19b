/** The tools of the actions that the host performs, few with a verb each: `gesture` and `dialog`. */
import type { ToolArguments } from '../../../contracts/doors/mcp.ts'
import { type Draft, draftOf, matcherFrom, shadeAction } from '../../../service/executions/actions/flat-actions.ts'
import { type Tool, tool } from '../tool.ts'
import { act, actionTool, isMisuse, type Misuse, misuse, placeOf } from './act.ts'

type Given = ToolArguments<'gesture'>

const fromOf = (args: Given) => placeOf(matcherFrom(args), [args.x, args.y])

const dragOf = (args: Given): Draft | Misuse => {
  const { toRef, toText, toX, toY } = args
  const from = fromOf(args)
  const to = placeOf(matcherFrom({ ref: toRef, text: toText }), [toX, toY], ['toRef or toText', 'toX', 'toY'])
  if (isMisuse(from)) return from
  return isMisuse(to) ? to : draftOf('drag', { from, to })
}

const touchOf = (args: Given, draft: (place: { matcher?: unknown }) => Draft | Misuse): Draft | Misuse => {
  const place = fromOf(args)
  return isMisuse(place) ? place : draft(place)
}

const SCALE_MISSING: Misuse = { problem: 'scale is missing', hint: 'Add scale: above 1 opens, below 1 closes.' }

const DRAFTS: Readonly<Record<Given['gesture'], (args: Given) => Draft | Misuse>> = {
  double_tap: args => touchOf(args, place => draftOf('double_tap', place)),
  drag: dragOf,
  pinch: args =>
    touchOf(args, place =>
      args.scale === undefined ? SCALE_MISSING : draftOf('pinch', { ...place, scale: args.scale }),
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
    return isMisuse(draft) ? Promise.resolve(misuse('gesture', draft)) : act('gesture', draft, args, call)
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
