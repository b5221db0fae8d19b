/** A phone belongs to one attempt of a flow at a time, whichever run or process of this home it is of. */
import { flowsKey } from '../reservations/reserved-phone.ts'
import { pause } from '../runtime/clock.ts'
import type { FlowsDeps } from './deps.ts'

const LOOK_MS = 500

interface OwnPhone {
  deviceId: string
  /** True where another caller has reserved it. */
  isReserved(): Promise<boolean>
  /** False once nobody wants the attempt any more. */
  isWanted(): boolean
  signal: AbortSignal
}

/**
 * Waits for the phone, then works; undefined when the attempt was not wanted any more before that. A reserved phone is
 * passed over: a reservation can last for hours.
 */
export const withOwnPhone = async <T>(
  { host, clock, note, phonesInUse }: Pick<FlowsDeps, 'host' | 'clock' | 'note' | 'phonesInUse'>,
  { deviceId, isReserved, isWanted, signal }: OwnPhone,
  work: () => Promise<T>,
): Promise<T | 'reserved' | undefined> => {
  let isTold = false
  while (isWanted() && !signal.aborted) {
    if (!phonesInUse.has(deviceId)) {
      phonesInUse.add(deviceId)
      try {
        let result: { value: T | 'reserved' } | undefined
        await host.whileOwned(flowsKey(deviceId), { deviceId }, async () => {
          // Nobody reserves it from now on until the work has ended.
          result = { value: (await isReserved()) ? 'reserved' : await work() }
        })
        if (result) return result.value
      } finally {
        phonesInUse.delete(deviceId)
      }
    }
    if (!isTold) note(`${deviceId} runs a flow of another run: waiting for its end`)
    isTold = true
    await pause(clock, LOOK_MS, signal)
  }
  return undefined
}
