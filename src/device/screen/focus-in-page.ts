/** Gives an element of a page the focus by a touch, and asks the page whether it has it before a key is sent. */

import { isTextField } from '../../contracts/device/role.ts'
import type { FoundNode } from '../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import { pause } from '../../runtime/clock.ts'
import { clickNode } from './click-node.ts'
import type { StepContext } from './context.ts'
import { locate } from './locate.ts'
import { StepFailure } from './step-failure.ts'

/** A touch reaches the page a moment after the phone has taken it. */
const FOCUS_MS = 2_000
const LOOK_AGAIN_MS = 100

const refused = (reason: string, message: string, hint: string) =>
  new StepFailure('PAGE_REFUSED', message, { data: { reason }, hint })

const takesNoKeys = () =>
  refused(
    'not interactable',
    'the element takes no text, and neither it nor an element in it has the focus',
    'Name a field. Nothing was touched and nothing was typed.',
  )

const withoutFocus = () =>
  refused(
    'no focus',
    'the element was touched and did not take the focus',
    'Look at the page: something else has the focus. Nothing was typed.',
  )

/** A touch on what is no field would act, as on a button: that one needs to have the focus already. */
export const focusInPage = async (
  matcher: Matcher,
  context: StepContext,
): Promise<{ found: FoundNode; facts: Record<string, string> }> => {
  const { clock, signal } = context
  const seen = await locate(matcher, context)
  if (seen.node.focused) return { found: seen, facts: {} }
  if (!isTextField(seen.node)) throw takesNoKeys()
  const facts = await clickNode({ matcher, clickType: 'default' }, context, seen)
  const until = clock.elapsed() + FOCUS_MS
  for (;;) {
    const found = await locate(matcher, context)
    if (found.node.focused) return { found, facts }
    if (clock.elapsed() >= until) throw withoutFocus()
    await pause(clock, LOOK_AGAIN_MS, signal)
    signal.throwIfAborted()
  }
}
