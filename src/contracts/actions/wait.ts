/** Actions that wait: wait_for_node, wait_for_navigation, wait_for_idle, sleep. */
import * as v from 'valibot'
import { Matcher } from '../executions/matcher.ts'
import { closedObject } from '../json/objects.ts'
import { integer, nonBlank } from '../json/scalars.ts'
import { IDLE_MS } from '../limits/gesture-limits.ts'
import { SLEEP_MS, WAIT_FOR_NAVIGATION_MS, WAIT_FOR_NODE_MS } from '../limits/limits.ts'
import { action, retryEntries } from './shape.ts'

export const WAIT_ACTIONS = [
  action(
    'wait_for_node',
    closedObject({
      matcher: Matcher,
      /** Left out: visible. */
      state: v.exactOptional(v.picklist(['visible', 'gone'])),
      timeoutMs: v.exactOptional(integer(WAIT_FOR_NODE_MS), WAIT_FOR_NODE_MS.default),
      ...retryEntries,
    }),
  ),
  action(
    'wait_for_navigation',
    v.pipe(
      closedObject({
        expectedPackage: v.exactOptional(nonBlank),
        expectedNode: v.exactOptional(Matcher),
        timeoutMs: integer(WAIT_FOR_NAVIGATION_MS),
        ...retryEntries,
      }),
      v.partialCheck(
        [['expectedPackage'], ['expectedNode']],
        params => params.expectedPackage !== undefined || params.expectedNode !== undefined,
        'expectedPackage or expectedNode is needed',
      ),
      v.metadata({ anyOf: [{ required: ['expectedPackage'] }, { required: ['expectedNode'] }] }),
    ),
  ),
  action(
    'wait_for_idle',
    v.exactOptional(closedObject({ timeoutMs: v.exactOptional(integer(IDLE_MS), IDLE_MS.default) }), () => ({
      timeoutMs: IDLE_MS.default,
    })),
  ),
  action('sleep', closedObject({ durationMs: integer(SLEEP_MS) })),
] as const
