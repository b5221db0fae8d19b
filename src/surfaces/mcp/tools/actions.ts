/** The tools that stand for one action each, built as the flat commands build theirs. */
import { NAVIGATION_TIMEOUT_MS, WAIT_FOR_NAVIGATION_MS, WAIT_FOR_NODE_MS } from '../../../contracts/limits/limits.ts'
import { draftOf, isUri, matcherFrom, openAction } from '../../../service/executions/actions/flat-actions.ts'
import { type Tool, tool } from '../tool.ts'
import { act, misuse } from './act.ts'
import { app } from './app.ts'
import { GESTURE_TOOLS } from './gestures.ts'

const SELECTOR_MISSING = 'a selector is missing'

const OPEN_HINT = 'Leave it out, or give the package name of the app as target.'

const open = tool({
  name: 'open',
  description: 'Open an app or a URI.',
  annotations: { performs: ['open_app', 'open_uri'] },
  run({ target, activity, arguments: extras, clearState, stopFirst, permissions, ...where }, call) {
    const values = { activity, arguments: extras, clearState, stopFirst, permissions }
    const [named] = Object.entries(values).find(([, value]) => value !== undefined) ?? []
    if (named !== undefined && isUri(target)) {
      return Promise.resolve(misuse('open', `${named} is for an app, not for a URI`, OPEN_HINT))
    }
    return act('open', openAction(target, values), where, call, () => `opened ${target}`)
  },
})

const click = tool({
  name: 'click',
  description: 'Tap the node that all selectors match, or the point x, y.',
  annotations: { performs: ['click'] },
  run(args, call) {
    const { x, y, long } = args
    const matcher = matcherFrom(args)
    if ((x === undefined) !== (y === undefined)) return Promise.resolve(misuse('click', 'x and y belong together'))
    const coordinate = x === undefined || y === undefined ? undefined : { x, y }
    if (matcher === undefined && coordinate === undefined) {
      return Promise.resolve(misuse('click', 'a selector, or x and y, is missing'))
    }
    if (matcher !== undefined && coordinate !== undefined) {
      return Promise.resolve(misuse('click', 'a selector and a point cannot be combined'))
    }
    return act(
      'click',
      draftOf('click', { matcher, coordinate, clickType: long ? 'long_click' : undefined }),
      args,
      call,
    )
  },
})

const type = tool({
  name: 'type',
  description:
    'Enter value into a field (default: the focused one), replacing its text unless append; submit presses enter.',
  annotations: { performs: ['enter_text'] },
  run(args, call) {
    const { value, append, submit } = args
    return act('type', draftOf('enter_text', { matcher: matcherFrom(args), text: value, append, submit }), args, call)
  },
})

const press = tool({
  name: 'press',
  description: 'Press a key of the device.',
  annotations: { performs: ['press_key'] },
  run: (args, call) =>
    act(
      'press',
      draftOf('press_key', { key: args.key, longPress: args.long }),
      args,
      call,
      () => `pressed ${args.key}`,
    ),
})

const swipe = tool({
  name: 'swipe',
  description: 'Swipe between two points, in pixels.',
  annotations: { performs: ['swipe'] },
  run(args, call) {
    const { x1, y1, x2, y2, durationMs } = args
    return act('swipe', draftOf('swipe', { start: { x: x1, y: y1 }, end: { x: x2, y: y2 }, durationMs }), args, call)
  },
})

const scroll = tool({
  name: 'scroll',
  description: 'Scroll once; selectors name the container.',
  annotations: { performs: ['scroll'] },
  run: (args, call) =>
    act(
      'scroll',
      draftOf('scroll', { direction: args.direction, container: matcherFrom(args) }),
      args,
      call,
      ({ scroll_outcome = 'done' }) => `scroll: ${scroll_outcome}`,
    ),
})

const scrollUntil = tool({
  name: 'scroll_until',
  description: 'Scroll until the node is on the screen.',
  annotations: { performs: ['scroll_until'] },
  run(args, call) {
    const matcher = matcherFrom(args)
    if (matcher === undefined) return Promise.resolve(misuse('scroll_until', SELECTOR_MISSING))
    return act('scroll_until', draftOf('scroll_until', { direction: args.direction, matcher }), args, call)
  },
})

const read = tool({
  name: 'read',
  description: 'Read the text of a node, or of all that match (a JSON array).',
  annotations: { performs: ['read_text'] },
  run(args, call) {
    const matcher = matcherFrom(args)
    if (matcher === undefined) return Promise.resolve(misuse('read', SELECTOR_MISSING))
    return act('read', draftOf('read_text', { matcher, all: args.all }), args, call, ({ text = '' }) => text)
  },
})

const wait = tool({
  name: 'wait',
  description: 'Wait until a node is on the screen (gone: is not), or app is in front.',
  annotations: { performs: ['wait_for_node', 'wait_for_navigation'] },
  run(args, call) {
    const { app, timeoutMs, gone } = args
    const matcher = matcherFrom(args)
    if (app !== undefined) {
      if (gone) return Promise.resolve(misuse('wait', 'gone needs a selector, and cannot be combined with app'))
      const longest = timeoutMs ?? NAVIGATION_TIMEOUT_MS.default
      if (longest > WAIT_FOR_NAVIGATION_MS.max) {
        const most = `timeoutMs must be at most ${WAIT_FOR_NAVIGATION_MS.max} with app; got ${longest}`
        return Promise.resolve(misuse('wait', most))
      }
      const draft = draftOf('wait_for_navigation', { expectedPackage: app, expectedNode: matcher, timeoutMs: longest })
      return act('wait', draft, args, call, () => `${app} is in front`)
    }
    if (matcher === undefined) return Promise.resolve(misuse('wait', 'a selector, or app, is missing'))
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
