/** Waits. */
import { duration } from '../../duration.ts'
import type { Cards, StepTarget } from '../card.ts'
import { A_NODE, asLiteral, asText, cut, join, matcherWords, seconds } from '../words.ts'

const SHORT_MS = 100

/** `after 340 ms`, from the time that the device measured; a short one is not worth a word. */
const after = (elapsedMs: string | undefined, { isTimed }: StepTarget): string | undefined => {
  const ms = Number(elapsedMs)
  return ms >= SHORT_MS && !isTimed ? `after ${duration(ms)}` : undefined
}

export const WAIT_CARDS = {
  wait_for_node: {
    effect: 'looks',
    repeat: 'safe',
    by: 'operator',
    hostParams: ['state'],
    touchesFront: true,
    data: ['resource_id', 'label', 'elapsed_ms'],
    failures: ['NODE_NOT_FOUND', 'NODE_STILL_VISIBLE'],
    words: ({ matcher, state }) => join('Wait for', matcherWords(matcher), state === 'gone' ? 'to go' : ''),
    // A wait for a node to go has no node to tell of.
    done: ({ label, resource_id, elapsed_ms }, target) =>
      label === undefined && resource_id === undefined && elapsed_ms !== undefined
        ? join(target.node || A_NODE, 'is gone', after(elapsed_ms, target))
        : join(
            'Found',
            label === undefined || label === '' ? target.node : asLiteral(label),
            after(elapsed_ms, target),
          ),
  },
  wait_for_navigation: {
    effect: 'looks',
    repeat: 'safe',
    by: 'operator',
    touchesFront: false,
    appOf: ({ expectedPackage }) => expectedPackage,
    data: ['resolved_package', 'elapsed_ms'],
    failures: ['NAVIGATION_TIMEOUT'],
    words: ({ expectedPackage, expectedNode }) =>
      join('Wait for', cut(asText(expectedPackage)) || matcherWords(expectedNode)),
    done: ({ resolved_package, elapsed_ms }, target) =>
      join(resolved_package ?? target.node, 'is in front', after(elapsed_ms, target)),
  },
  wait_for_idle: {
    effect: 'looks',
    repeat: 'safe',
    by: 'screen',
    touchesFront: false,
    data: ['settled'],
    failures: [],
    words: () => 'Wait for a still screen',
    done: ({ settled }) => (settled === 'false' ? 'The screen did not come to rest' : 'The screen is still'),
  },
  sleep: {
    effect: 'looks',
    repeat: 'safe',
    by: 'operator',
    touchesFront: false,
    data: ['duration_ms'],
    failures: [],
    words: ({ durationMs }) => join('Wait', seconds(durationMs)),
    done: ({ duration_ms }) => join('Waited', duration_ms && duration(Number(duration_ms))),
    isAside: true,
  },
} as const satisfies Partial<Cards>
