/** Checks that a device can be operated: screen on and keyguard not showing, after one attempt to make it so. */
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'
import { INTERACTIVE_REUSE_MS } from '../contracts/limits.ts'
import { ageMs, type Clock, type Moment, momentOf, pause } from '../runtime/clock.ts'
import type { CallOptions, Link } from './link.ts'
import { OUTPUT_BYTES_MAX } from './link-limits.ts'
import { SCREEN_STATE_COMMAND, type ScreenState, screenState } from './screen-state.ts'

export type Interactive = { ok: true } | { ok: false; error: ErrorObject }

/** Does something that changes the device, by somebody who owns it; false when it could not be owned. */
export type Owning = (work: () => Promise<void>) => Promise<boolean>

/** Wakes a device whose screen is off, by way of `own`. Rejects with a LinkError when the device cannot be asked. */
export type InteractiveCheck = (link: Link, options: CallOptions, own?: Owning) => Promise<Interactive>

const alreadyOwned: Owning = async work => {
  await work()
  return true
}

const WAKE_COMMAND = 'input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard'
/** A keyguard that goes takes a moment: the pauses before each look after the wake-up. */
const LOOK_AGAIN_MS = [0, 300, 700]

const isInteractive = ({ awake, locked }: ScreenState) => awake === true && locked !== true

const look = async (link: Link, options: CallOptions): Promise<ScreenState> =>
  screenState((await link.shell(SCREEN_STATE_COMMAND, { ...options, maxBytes: OUTPUT_BYTES_MAX.state })).stdout)

const silent = (link: Link): Interactive => ({
  ok: false,
  error: failure('DEVICE_SHELL_UNAVAILABLE', `device ${link.serial} does not report whether its screen is on`),
})

const notInteractive = (link: Link, { awake, locked }: ScreenState): Interactive => ({
  ok: false,
  error: failure(
    'DEVICE_NOT_INTERACTIVE',
    `device ${link.serial} ${awake ? 'is locked' : 'has its screen off'} and could not be woken`,
    {
      details: { deviceId: link.serial, awake: awake === true, locked: locked === true },
      hint: awake ? 'unlock the device; a PIN, pattern or password must be entered by hand' : 'switch the screen on',
    },
  ),
})

const wake = async (link: Link, options: CallOptions, clock: Clock): Promise<ScreenState> => {
  await link.shell(WAKE_COMMAND, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })
  let seen: ScreenState = { awake: undefined, locked: undefined }
  for (const ms of LOOK_AGAIN_MS) {
    if (ms > 0) await pause(clock, ms, options.signal)
    seen = await look(link, options)
    if (isInteractive(seen)) break
  }
  return seen
}

/** A positive answer is reused for 8 s, for as long as the link lasts: a device that started anew is asked again. */
export const createInteractiveCheck = (clock: Clock): InteractiveCheck => {
  const seenAt = new WeakMap<Link, Moment>()
  return async (link, options, own = alreadyOwned) => {
    const last = seenAt.get(link)
    if (last && ageMs(clock, last) < INTERACTIVE_REUSE_MS && !link.lost.aborted) return { ok: true }
    let seen = await look(link, options)
    if (seen.awake === undefined) return silent(link)
    if (!isInteractive(seen)) {
      await own(async () => {
        seen = await wake(link, options, clock)
      })
    }
    if (!isInteractive(seen)) return notInteractive(link, seen)
    seenAt.set(link, momentOf(clock))
    return { ok: true }
  }
}
