/** `svc scroll`, `svc scroll-until`. */

import { DIRECTIONS } from '../../contracts/literals.ts'
import { scrollAction, scrollUntilAction } from '../../executions/flat-actions.ts'
import { type FlatCommand, misuse, switched } from './command.ts'
import { CONTAINER_FLAGS, containerOf, matcherOf, SELECTOR_FLAGS, SELECTOR_HINT } from './selectors.ts'

const DIRECTION = { name: 'direction', summary: `${DIRECTIONS.join(', ')} (default down)` }

export const scroll: FlatCommand = {
  path: ['scroll'],
  shape: 'svc scroll [down|up|left|right] [<container selector>]',
  summary: 'scroll once',
  args: [DIRECTION],
  flags: CONTAINER_FLAGS,
  examples: ['svc scroll', 'svc scroll up --container-id com.android.settings:id/list'],
  draft(call) {
    return scrollAction({ direction: call.args[0], container: containerOf(call, scroll) })
  },
}

export const scrollUntil: FlatCommand = {
  path: ['scroll-until'],
  shape: 'svc scroll-until [down|up|left|right] [<selector> [--click]] [<container selector>]',
  summary: 'scroll until a node is on the screen or the end is reached',
  args: [DIRECTION],
  flags: [...SELECTOR_FLAGS, { name: 'click', summary: 'click the node once it is found' }, ...CONTAINER_FLAGS],
  examples: ['svc scroll-until --text "About phone" --click', 'svc scroll-until up --id com.example:id/first'],
  draft(call) {
    const matcher = matcherOf(call, scrollUntil)
    if (call.isOn('click') && matcher === undefined) {
      throw misuse(scrollUntil, '--click needs a selector', SELECTOR_HINT)
    }
    return scrollUntilAction({
      matcher,
      direction: call.args[0],
      container: containerOf(call, scrollUntil),
      clickAfter: switched(call, 'click'),
    })
  },
}
