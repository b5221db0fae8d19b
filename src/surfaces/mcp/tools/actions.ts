/** The tools that stand for one action each, built as the flat commands build theirs. */
import { NAVIGATION_TIMEOUT_MS, WAIT_FOR_NAVIGATION_MS, WAIT_FOR_NODE_MS } from '../../../contracts/limits/limits.ts'
import { draftOf, isUri, matcherFrom, openAction } from '../../../service/executions/actions/flat-actions.ts'
import { type Tool, tool } from '../tool.ts'
import { act, actionTool, isMisuse, misuse, placeOf, selectorMissing } from './act.ts'
import { app } from './apps.ts'
import { GESTURE_TOOLS } from './gestures.ts'

const OPEN_HINT = 'Leave it out, or give the package name of the app as target.'

const open = tool({
  name: 'open',
  description: 'Open an app or a URI.',
  annotations: { performs: ['open_app', 'open_uri'] },
  run({ target, activity, arguments: extras, clearState, stopFirst, permissions, ...where }, call) {
    const values = { activity, arguments: extras, clearState, stopFirst, permissions }
    const [named] = Object.entries(values).find(([, value]) => value !== undefined) ?? []
    if (named !== undefined && isUri(target)) {
      return Promise.resolve(misuse('open', { problem: `${named} is for an app, not for a URI`, hint: OPEN_HINT }))
    }
    return act('open', openAction(target, values), where, call, () => `opened ${target}`)
  },
})

const click = actionTool({
  name: 'click',
  type: 'click',
  description: 'Tap the node that all selectors match, or the point x, y.',
  params({ x, y, long }, matcher) {
    const place = placeOf(matcher, [x, y])
    return isMisuse(place) ? place : { ...place, clickType: long ? 'long_click' : undefined }
  },
})

const type = actionTool({
  name: 'type',
  type: 'enter_text',
  description:
    'Enter value into a field (default: the focused one), replacing its text unless append; submit presses enter.',
  params: ({ value, append, submit }, matcher) => ({ matcher, text: value, append, submit }),
})

const press = actionTool({
  name: 'press',
  type: 'press_key',
  description: 'Press a key of the device.',
  params: ({ key, long }) => ({ key, longPress: long }),
  says: (_, { key }) => `pressed ${key}`,
})

const swipe = actionTool({
  name: 'swipe',
  type: 'swipe',
  description: 'Swipe between two points, in pixels.',
  params: ({ x1, y1, x2, y2, durationMs }) => ({ start: { x: x1, y: y1 }, end: { x: x2, y: y2 }, durationMs }),
})

const scroll = actionTool({
  name: 'scroll',
  type: 'scroll',
  description: 'Scroll once; selectors name the container.',
  params: ({ direction }, container) => ({ direction, container }),
  says: ({ scroll_outcome = 'done' }) => `scroll: ${scroll_outcome}`,
})

const scrollUntil = actionTool({
  name: 'scroll_until',
  type: 'scroll_until',
  description: 'Scroll until the node is on the screen.',
  params: ({ direction }, matcher) => (matcher ? { direction, matcher } : selectorMissing()),
})

const read = actionTool({
  name: 'read',
  type: 'read_text',
  description: 'Read the text of a node, or of all that match (a JSON array).',
  params: ({ all }, matcher) => (matcher ? { matcher, all } : selectorMissing()),
  says: ({ text = '' }) => text,
})

const wait = tool({
  name: 'wait',
  description: 'Wait until a node is on the screen (gone: is not), or app is in front.',
  annotations: { performs: ['wait_for_node', 'wait_for_navigation'] },
  run(args, call) {
    const { app, timeoutMs, gone } = args
    const matcher = matcherFrom(args)
    if (app !== undefined) {
      if (gone)
        return Promise.resolve(
          misuse('wait', {
            problem: 'gone needs a selector, and cannot be combined with app',
            hint: 'Leave out app, or gone.',
          }),
        )
      const longest = timeoutMs ?? NAVIGATION_TIMEOUT_MS.default
      if (longest > WAIT_FOR_NAVIGATION_MS.max) {
        const problem = `timeoutMs must be at most ${WAIT_FOR_NAVIGATION_MS.max} with app; got ${longest}`
        return Promise.resolve(misuse('wait', { problem, hint: 'Give a shorter timeoutMs, and wait again.' }))
      }
      const draft = draftOf('wait_for_navigation', { expectedPackage: app, expectedNode: matcher, timeoutMs: longest })
      return act('wait', draft, args, call, () => `${app} is in front`)
    }
    if (matcher === undefined) return Promise.resolve(misuse('wait', selectorMissing('a selector, or app, is missing')))
    const state = gone ? 'gone' : undefined
    const draft = draftOf('wait_for_node', { matcher, state, timeoutMs: timeoutMs ?? WAIT_FOR_NODE_MS.default })
    return act('wait', draft, args, call, () => (gone ? 'the node is gone' : 'the node is on the screen'))
  },
})

export const ACTION_TOOLS: readonly Tool[] = [
  open,
  click,
  type,
  press,
  swipe,
  ...GESTURE_TOOLS,
  scroll,
  scrollUntil,
  read,
  wait,
  app,
]
