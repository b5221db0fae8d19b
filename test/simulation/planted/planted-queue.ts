/** Defects of the queue of a busy phone. */
import type { Planted } from './planted.ts'

export const PLANTED_IN_QUEUE: readonly Planted[] = [
  {
    law: 2,
    name: 'a caller that has left stays in the queue',
    file: 'src/service/local/order-of.ts',
    from: '(waitMs ? { waitMs, leave } : {})',
    to: '(waitMs ? { waitMs } : {})',
    seed: 1,
  },
  {
    law: 3,
    name: 'the receipt of a request that waits says that it was accepted',
    file: 'machines/device/device-queue.ts',
    from: "    state: 'waiting',",
    to: "    state: 'accepted',",
    seed: 1,
  },
  {
    law: 4,
    name: 'a free phone takes whoever comes',
    file: 'machines/device/device-queue.ts',
    from: ': line[0]?.executionId === event.executionId',
    to: ': true',
    seed: 1,
  },
  {
    law: 7,
    name: 'a wait has no end',
    file: 'src/service/executions/waiting/waiting.ts',
    from: "() => end('overdue'))",
    to: '() => {})',
    seed: 1,
  },
  {
    law: 7,
    name: 'a request that has the phone keeps its place in the queue',
    file: 'machines/device/device-queue.ts',
    from: "(event.type !== 'execution.left' && event.type !== 'execution.requested')",
    to: "event.type !== 'execution.left'",
    seed: 1,
  },
]
