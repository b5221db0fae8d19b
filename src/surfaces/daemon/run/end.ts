/**
 * When a daemon ends: told to, idle for long enough, or as soon as it is idle because it was retired, cannot be found, was
 * started in a home whose process has ended, or for a device that does not exist: without a name, any device will do.
 */

import type { Clock, Timer } from '../../../runtime/clock.ts'
import { isOwnerGone } from '../../../runtime/folder-owner.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { rotateLog } from '../log.ts'
import type { DaemonPaths } from '../paths.ts'
import type { Published } from './publish.ts'
import type { createActivity } from './requests.ts'

export type DaemonEnd = 'told to end' | 'idle' | 'retired' | 'socket gone' | 'owner gone' | 'device not found'

export interface EndOptions {
  /** Ends itself after so long without a request; 0 is never. */
  idleMs: number
  /** True when the device that it was started for, or any where it was started for none, is listed, in any state. */
  isDeviceKnown?: (() => Promise<boolean>) | undefined
  /** How many executions run, also those that no open request waits for. */
  inFlight(): number
  /** True while it holds something for its user that ends with it, such as a forward: then it is never idle. */
  isHolding?: (() => boolean) | undefined
  /** A line for the log. */
  note(text: string): void
  /** SIGTERM, SIGINT or SIGHUP. */
  signal: AbortSignal
  clock: Clock
  checkMs: number
  paths: DaemonPaths
  published: Published
  activity: ReturnType<typeof createActivity>
}

/** Asks a daemon at work to end once nothing runs any more, and one that is ending to do so now. */
const RETIRE = 'SIGUSR2'
/** How often a daemon looks that waits for its end. */
const CHECK_AGAIN_MS = 125

export const watchForEnd = (options: EndOptions) => {
  const { clock, checkMs, idleMs, inFlight, isDeviceKnown, isHolding, note, signal, paths, published, activity } =
    options
  let isRetired = false
  let isDeviceMissing = false
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
    if (isRetired) return 'retired'
    if (isOwnerGone(paths.home)) return 'owner gone'
    if (isHolding?.()) {
      activity.touch()
      return published.isInPlace() ? undefined : 'socket gone'
    }
    if (isDeviceMissing && !activity.hasServed()) return 'device not found'
    if (!published.isInPlace()) return 'socket gone'
    return idleMs > 0 && quietMs >= idleMs ? 'idle' : undefined
  }

  const repair = () => {
    try {
      published.repair()
    } catch (error) {
      note(`the metadata cannot be written: ${messageOf(error)}`)
    }
  }

  const check = () => {
    if (ended) return
    const reason = reasonToEnd()
    if (reason) return finish(reason)
    rotateLog(paths.log)
    repair()
    timer?.cancel()
    // One that waits for its end is looked after more closely.
    timer = clock.at(clock.now() + (isRetired || isDeviceMissing ? Math.min(checkMs, CHECK_AGAIN_MS) : checkMs), check)
  }

  const retire = () => {
    if (ended) return hurry()
    isRetired = true
    check()
  }
  const terminate = () => finish('told to end')
  const checkDevice = async () => {
    isDeviceMissing = !(await isDeviceKnown?.().catch(() => false))
    check()
  }

  if (isDeviceKnown) activity.onUnserved(() => void checkDevice())

  process.on(RETIRE, retire)
  signal.addEventListener('abort', terminate, { once: true })
  if (signal.aborted) terminate()
  check()
  return {
    end,
    /** Called for each RETIRE that comes once the end has begun. */
    onHurry: (listener: () => void) => {
      hurry = listener
    },
    close: () => {
      timer?.cancel()
      signal.removeEventListener('abort', terminate)
    },
  }
}
