/** The `mobile:` methods that scroll until an element is in sight, from the beginning of a list to its end. */
import type { ReadScreen } from '../../../service/read-screens.ts'
import { mobileMethod } from '../commands/command.ts'
import { elementMatcher } from '../commands/elements.ts'
import { elementReference, refusePageElement } from '../gestures/element-place.ts'
import { invalid, oneOf, optional, someText, whole } from '../protocol/arguments.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession } from '../session/live-session.ts'

/** As UiScrollable has it, unless told. */
const SWIPES = { max: 200, default: 30 } as const

interface Search {
  /** Left out: what scrolls on the screen. */
  readonly container: object | undefined
  readonly maxSwipes: number
  isInSight(screen: ReadScreen): Promise<boolean>
  /** For the error. */
  readonly wanted: string
}

const scrollOnce = async (session: LiveSession, container: object | undefined, direction: 'up' | 'down') => {
  const params = container === undefined ? { direction } : { direction, container }
  const [step] = await session.act([{ type: 'scroll', params }])
  return step?.data.scroll_outcome === 'moved'
}

/** To the beginning first, and then to the end: each swipe is an execution. */
const scrollIntoSight = async (session: LiveSession, search: Search): Promise<null> => {
  const { container, maxSwipes, isInSight, wanted } = search
  if (await isInSight(await session.look())) return null
  for (const direction of ['up', 'down'] as const) {
    for (let swipe = 0; swipe < maxSwipes && !session.ended.aborted; swipe++) {
      if (!(await scrollOnce(session, container, direction))) break
      if (await isInSight(await session.look())) return null
    }
  }
  throw new WebDriverError('no such element', `${wanted} was not found by scrolling to both ends.`)
}

const swipesOf = (maxSwipes: number | undefined, of: string): number => {
  const swipes = maxSwipes ?? SWIPES.default
  if (swipes >= 1 && swipes <= SWIPES.max) return swipes
  throw invalid(`The argument maxSwipes of ${of} must be 1 to ${SWIPES.max}, but is ${swipes}.`)
}

const STRATEGIES = ['accessibility id', 'class name', '-android uiautomator', 'id', 'xpath'] as const

const containerOf = (session: LiveSession, elementId: string | undefined) => {
  if (elementId === undefined) return undefined
  refusePageElement(session, elementId)
  return elementMatcher(session, elementId)
}

export const scroll = mobileMethod({
  name: 'scroll',
  summary:
    'Scrolls until what a locator finds is in sight: to the beginning, then to the end. elementId is what scrolls.',
  args: {
    strategy: oneOf(STRATEGIES),
    selector: someText,
    maxSwipes: optional(whole),
    elementId: optional(elementReference),
  },
  run(session, { strategy, selector, maxSwipes, elementId }) {
    return scrollIntoSight(session, {
      container: containerOf(session, elementId),
      maxSwipes: swipesOf(maxSwipes, 'mobile: scroll'),
      wanted: `${strategy} ${JSON.stringify(selector)}`,
      async isInSight(screen) {
        const found = await screen.locate({ strategy, value: selector, signal: session.ended })
        if (!found.ok) throw new WebDriverError('invalid selector', found.message)
        return found.nodes.length > 0
      },
    })
  },
})

export const scrollBackTo = mobileMethod({
  name: 'scrollBackTo',
  summary: 'Scrolls elementId until the element elementToId is in sight: to the beginning, then to the end.',
  args: { elementId: elementReference, elementToId: elementReference, maxSwipes: optional(whole) },
  run(session, { elementId, elementToId, maxSwipes }) {
    refusePageElement(session, elementToId)
    const identity = session.elements.identityOf(elementToId)
    return scrollIntoSight(session, {
      container: containerOf(session, elementId),
      maxSwipes: swipesOf(maxSwipes, 'mobile: scrollBackTo'),
      wanted: `The element ${elementToId}`,
      isInSight: async screen => screen.find(identity).ok,
    })
  },
})

export const SCROLL_METHODS = [scroll, scrollBackTo]
