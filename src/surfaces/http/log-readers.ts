/** The readers that follow the logs of devices over one server: each costs a logcat on its device, and a queue here. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { LOG_READERS } from '../../contracts/limits/log-limits.ts'

export type LogReaderPlace = { ok: true; leave: () => void } | { ok: false; error: ErrorObject }

const HINT =
  'End a reader that is not needed any more, then try again, or ask for pages: GET /devices/<id>/logs/lines waits for new lines too.'

const tooMany = (where: string, limit: number) =>
  failure('EXECUTION_CONFLICT_IN_FLIGHT', `${limit} readers follow the log of ${where} already: no more are taken.`, {
    details: { limit },
    hint: HINT,
  })

export const createLogReaders = ({ perDevice, perServer }: { perDevice: number; perServer: number } = LOG_READERS) => {
  const counts = new Map<string, number>()
  let all = 0
  return {
    /** A place is given back once, however often it is left. */
    enter(deviceId: string): LogReaderPlace {
      const ofDevice = counts.get(deviceId) ?? 0
      if (ofDevice >= perDevice) return { ok: false, error: tooMany(deviceId, perDevice) }
      if (all >= perServer) return { ok: false, error: tooMany('a device of this server', perServer) }
      counts.set(deviceId, ofDevice + 1)
      all++
      let isIn = true
      const leave = () => {
        if (!isIn) return
        isIn = false
        all--
        const left = (counts.get(deviceId) ?? 1) - 1
        if (left === 0) counts.delete(deviceId)
        else counts.set(deviceId, left)
      }
      return { ok: true, leave }
    },
  }
}
