/**
 * Section Events: refusals that repeat. The first ones of a device are recorded one by one, further ones are counted: callers
 * that ask a busy phone again and again would take the room of receipts in the journal.
 */
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { REFUSALS_RECORDED } from '../../../contracts/limits/limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { RefusedExecution } from '../../../service/parts.ts'

interface Repeated {
  recorded: number
  counted: number
  since: number
}

export interface RefusalCount {
  /** False for one that is counted: whoever listens now hears it, and the journal has the sum. */
  isRecorded(refused: RefusedExecution): boolean
}

const codeOf = ({ result }: RefusedExecution): ErrorObject['code'] => (result.ok ? '' : result.error.code)

/** `onCounted` is handed the sum of a device and code as one refusal, when the time is over. */
export const createRefusalCount = (clock: Clock, onCounted: (sum: RefusedExecution) => void): RefusalCount => {
  const { count: most, withinMs, devices: devicesMax } = REFUSALS_RECORDED
  const open = new Map<string, Repeated>()

  const sumOf = (
    deviceId: string,
    code: ErrorObject['code'],
    { counted: count, since }: Repeated,
  ): RefusedExecution => ({
    deviceId,
    input: null,
    result: {
      ok: false,
      error: failure(
        code as Parameters<typeof failure>[0],
        `${count} more ${count === 1 ? 'request was' : 'requests were'} refused in the same way within ${withinMs / 1_000} s.`,
        { details: { deviceId, count, since, dispatched: false }, hint: 'Each of their callers was answered.' },
      ),
    },
  })

  return {
    isRecorded(refused) {
      const { deviceId } = refused
      const code = codeOf(refused)
      const key = `${code} ${deviceId}`
      const known = open.get(key)
      if (!known) {
        // Names of devices come from callers, and may be without end.
        if (open.size >= devicesMax) return false
        const repeated = { recorded: 1, counted: 0, since: clock.now() }
        open.set(key, repeated)
        const end = () => {
          open.delete(key)
          if (repeated.counted > 0) onCounted(sumOf(deviceId, code, repeated))
        }
        clock.at(clock.now() + withinMs, end, { idle: true })
        return true
      }
      if (known.recorded < most) {
        known.recorded += 1
        return true
      }
      known.counted += 1
      return false
    },
  }
}
