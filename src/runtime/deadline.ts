/** The `deadline` port of every machine: one event after a time, measured on the clock that nobody sets. */
import type { DeadlineInput } from '../../machines/port.ts'
import type { Clock } from './clock.ts'
import type { Port } from './port.ts'

export const deadlinePort =
  (clock: Clock): Port<DeadlineInput> =>
  ({ since, ms }, { send, signal, spentMs }) => {
    const left = Math.max(0, ms - spentMs(since))
    const timer = clock.at(clock.now() + left, () => void send({ type: 'deadline.passed' }))
    signal.addEventListener('abort', () => timer.cancel(), { once: true })
  }
