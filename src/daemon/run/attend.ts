/** When a daemon ends: told to, idle for long enough, or as soon as it is idle because it was retired or cannot be found. */
import type { Clock, Timer } from '../../runtime/clock.ts'
import { rotateLog } from '../log.ts'
import type { DaemonPaths } from '../paths.ts'
import { HANG_UP, RETIRE } from '../signals.ts'
import type { createActivity } from './activity.ts'
import type { DaemonEnd, DaemonRunOptions } from './options.ts'
import type { Place } from './place.ts'

export interface AttendOptions extends Pick<DaemonRunOptions, 'idleMs' | 'inFlight' | 'note' | 'signal'> {
  clock: Clock
  lookMs: number
  paths: DaemonPaths
  place: Place
  activity: ReturnType<typeof createActivity>
}

/** Whoever has just asked for the version is about to send its command. */
const ABOUT_TO_SEND_MS = 250

export interface Attendance {
  end: Promise<DaemonEnd>
  /** Called for each RETIRE that comes once the end has begun. */
  onHurry(listener: () => void): void
  close(): void
}

export const attend = (options: AttendOptions): Attendance => {
  const { clock, lookMs, idleMs, inFlight, note, signal, paths, place, activity } = options
  let isRetired = false
  let ended: DaemonEnd | undefined
  let hurry = () => {}
  let timer: Timer | undefined
  let finish = (_: DaemonEnd) => {}
  const end = new Promise<DaemonEnd>(resolve => {
    finish = reason => {
      ended ??= reason
      timer?.cancel()
      resolve(ended)
    }
  })

  const isBusy = () => activity.pending() > 0 || inFlight() > 0

  const reasonToEnd = (): DaemonEnd | undefined => {
    if (isBusy()) {
      activity.touch()
      return undefined
    }
    const quietMs = activity.quietMs()
    if (quietMs < ABOUT_TO_SEND_MS) return undefined
    if (isRetired) return 'retired'
    if (!place.isKept()) return 'socket gone'
    return idleMs > 0 && quietMs >= idleMs ? 'idle' : undefined
  }

  const mend = () => {
    try {
      place.mend()
    } catch (error) {
      note(`the metadata cannot be written: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  const look = () => {
    if (ended) return
    const reason = reasonToEnd()
    if (reason) return finish(reason)
    rotateLog(paths.log)
    mend()
    timer?.cancel()
    // One that waits for its end is looked after more closely.
    timer = clock.at(clock.now() + (isRetired ? Math.min(lookMs, ABOUT_TO_SEND_MS / 2) : lookMs), look)
  }

  const retire = () => {
    if (ended) return hurry()
    isRetired = true
    look()
  }
  const tell = () => finish('told to end')

  process.on(RETIRE, retire)
  process.on(HANG_UP, tell)
  signal.addEventListener('abort', tell, { once: true })
  if (signal.aborted) tell()
  look()
  return {
    end,
    onHurry: listener => {
      hurry = listener
    },
    close: () => {
      timer?.cancel()
      signal.removeEventListener('abort', tell)
    },
  }
}
