/** The `deadline` port of every machine: one event at an absolute time, also right after a restart. */
import type { DeadlineInput } from '../../machines/port.ts'
import type { Clock } from './clock.ts'
import type { Port } from './port.ts'

export const deadlinePort =
  (clock: Clock): Port<DeadlineInput> =>
  ({ until }, { send, signal }) => {
    const timer = clock.at(until, () => void send({ type: 'deadline.passed' }))
    signal.addEventListener('abort', () => timer.cancel(), { once: true })
  }
