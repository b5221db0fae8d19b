/** click, enter_text, erase_text and press_key; swipe has a file of its own. */

import { isTextField } from '../../contracts/device/role.ts'
import type { FoundNode } from '../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import { NO_FOCUS_HINT, NO_FOCUS_MESSAGE } from '../../contracts/failures/step-hints.ts'
import { isOperatorKey } from '../../contracts/json/literals.ts'
import { inSlices, type Sliced } from '../../runtime/yielding.ts'
import { clickNode, findTouch, type TouchTarget, tapInRow, unsureData } from '../screen/click-node.ts'
import type { Step, StepContext } from '../screen/context.ts'
import { focusInPage } from '../screen/focus-in-page.ts'
import { locate, treeOf } from '../screen/locate.ts'
import { firstWhere, isFocusedField } from '../screen/match.ts'
import { notTextField } from '../screen/not-text-field.ts'
import { controlsOf } from '../screen/phone-controls.ts'
import { retrying } from '../screen/retry.ts'
import { toPixels } from '../screen/screen-point.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { Performers } from './performer.ts'
import { swipe } from './swipe.ts'

const click: Step<'click'> = async (params, context) => {
  const { matcher, coordinate, point, clickType, holdMs, retry, clickRetry } = params
  const facts = await retrying(retry, context, async () => {
    if (matcher?.pageElement && clickType === 'focus') return (await focusInPage(matcher, context)).facts
    if (matcher) return await clickNode({ ...params, matcher, at: point }, context)
    const [place] = coordinate ? [coordinate] : await toPixels(point ? [point] : [], context)
    if (!place || clickType === 'focus') throw new StepFailure('NODE_NOT_CLICKABLE', 'there is nothing to focus')
    return await retrying(clickRetry, context, async () => {
      if (await tapInRow(() => context.driver.tap(place, clickType, holdMs), params, context)) return {}
      throw new StepFailure('GESTURE_FAILED', `the system refused the ${clickType} at ${place.x},${place.y}`)
    })
  })
  return { click_type: clickType, ...facts }
}

/** A matcher often hits the frame around a field; text goes into the field. */
const fieldIn = function* (found: FoundNode): Sliced<FoundNode> {
  if (isTextField(found.node)) return found
  return (yield* firstWhere(found.node.children, isTextField, found)) ?? found
}

const focusedField = async (context: StepContext): Promise<FoundNode> => {
  const { roots } = await treeOf(context)
  const found = await inSlices(firstWhere(roots, isFocusedField), context)
  if (!found) throw new StepFailure('NODE_NOT_FOUND', NO_FOCUS_MESSAGE, { hint: NO_FOCUS_HINT })
  return found
}

/** The touch that gives the field the focus, for a driver that touches; undefined when none is needed or none works. */
const touchOf = async (
  found: FoundNode,
  { node }: FoundNode,
  matcher: Matcher,
  context: StepContext,
): Promise<Pick<TouchTarget, 'point' | 'isUnsure'> | undefined> => {
  if (!context.driver.covers || node.focused || !isTextField(node)) return undefined
  try {
    return await findTouch({ matcher, clickType: 'default', inside: fieldIn }, context, found)
  } catch (error) {
    if (error instanceof StepFailure && error.code === 'NODE_NOT_CLICKABLE')
      throw new StepFailure('ACTION_FAILED', error.message)
    throw error
  }
}

/** The field that the matcher names, with the touch that gives it the focus; without a matcher, the one that has it. */
const fieldFor = async (matcher: Matcher | undefined, context: StepContext) => {
  if (!matcher) return { node: (await focusedField(context)).node, touch: undefined }
  if (matcher.pageElement) {
    const { found, facts } = await focusInPage(matcher, context)
    return { node: found.node, touch: undefined, facts }
  }
  const found = await locate(matcher, context)
  const field = await inSlices(fieldIn(found), context)
  return { node: field.node, touch: await touchOf(found, field, matcher, context) }
}

/** Only the search for the node is tried again: typing twice is not the same as typing once. */
const enterText: Step<'enter_text'> = async (params, context) => {
  const { matcher, text, append, submit, retry } = params
  const { node, touch, facts = {} } = await retrying(retry, context, () => fieldFor(matcher, context))
  if (await context.driver.enterText(node, text, { append, submit, point: touch?.point })) {
    return { text, submit: String(submit), text_length: String(text.length), ...(touch ? unsureData(touch) : facts) }
  }
  throw isTextField(node)
    ? new StepFailure('ACTION_FAILED', 'the text field did not accept the text')
    : notTextField(node)
}

/** Custom fields do not always say that they have the focus, so the keys are pressed all the same. */
const eraseText: Step<'erase_text'> = async ({ characters }, context) => {
  await controlsOf(context).erase(characters)
  return { characters: String(characters) }
}

const pressKey: Step<'press_key'> = async ({ key, longPress = false }, context) => {
  if (longPress || !isOperatorKey(key)) {
    await controlsOf(context).pressKey(key, longPress)
    return { key }
  }
  if (await context.driver.pressKey(key)) return { key }
  throw new StepFailure('GLOBAL_ACTION_FAILED', `the system refused the key ${key}`)
}

export const INPUT_STEPS = {
  click: { screen: click },
  swipe: { screen: swipe },
  enter_text: { screen: enterText },
  erase_text: { screen: eraseText },
  press_key: { screen: pressKey },
} as const satisfies Partial<Performers>
