/** enter_text and press_key. */
import type { Step } from '../context.ts'
import { locate } from '../locate.ts'
import { walk } from '../match.ts'
import { retrying } from '../retry.ts'
import { roleOf } from '../role.ts'
import { StepFailure } from '../step-failure.ts'
import type { UiNode } from '../ui-tree.ts'

const isField = (node: UiNode) => roleOf(node) === 'textfield'

/** A matcher often hits the frame around a field; text goes into the field. */
const fieldIn = (node: UiNode): UiNode => {
  if (!isField(node)) for (const inner of walk(node.children)) if (isField(inner.node)) return inner.node
  return node
}

/** Only the search for the node is tried again: typing twice is not the same as typing once. */
export const enterText: Step<'enter_text'> = async (params, context) => {
  const { matcher, text, append, submit, retry } = params
  const { node } = await retrying(retry, context, () => locate(matcher, context))
  if (await context.driver.enterText(fieldIn(node), text, { append, submit })) return { text, submit: String(submit) }
  throw new StepFailure('ACTION_FAILED', 'the node did not take the text')
}

export const pressKey: Step<'press_key'> = async ({ key }, { driver }) => {
  if (await driver.pressKey(key)) return { key }
  throw new StepFailure('GLOBAL_ACTION_FAILED', `the system refused the key ${key}`)
}
