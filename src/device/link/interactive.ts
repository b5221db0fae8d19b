/** Checks that a device can be operated: screen on and keyguard not showing, after one attempt to make it so. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { INTERACTIVE_REUSE_MS } from '../../contracts/limits/limits.ts'
import { ageMs, type Clock, type ClockReading, pause, readClock } from '../../runtime/clock.ts'
import type { CallOptions, Link } from './link.ts'
import { OUTPUT_BYTES_MAX } from './link-limits.ts'

interface ScreenState {
  /** Undefined when the device did not say. */
  awake: boolean | undefined
  locked: boolean | undefined
}

/** All three in one round trip. `window policy` is the part of `window` that knows the keyguard. */
export const SCREEN_STATE_COMMAND = 'dumpsys power; dumpsys window policy; dumpsys trust'

/** No pattern may look further than a line: a dump that is made for it would keep this process busy for minutes. */
const first = (text: string, patterns: readonly RegExp[]): string | undefined =>
  patterns.map(pattern => pattern.exec(text)?.[1]).find(found => found !== undefined)

const flag = (text: string, patterns: readonly RegExp[]): boolean | undefined => {
  const found = first(text, patterns)
  return found === undefined ? undefined : found === 'true' || found === '1'
}

/** A dream or a doze shows something, but not the app. */
const WAKEFULNESS = [/^[ \t]*mWakefulness=(\w+)/m, /\binteractiveState=INTERACTIVE_STATE_(\w+)/]
const DISPLAY = [/\bDisplay Power: state=(\w+)/, /\bscreenState=SCREEN_STATE_(\w+)/, /\bmScreenOn=(true|false)/]
const AWAKE = new Set(['AWAKE', 'ON', 'TRUE'])

/** The keyguard's own word first; the last ones are those of Android 5 to 9. */
const KEYGUARD = [
  /^[ \t]*mIsShowing=(true|false)/m,
  /KeyguardServiceDelegate\s+showing=(true|false)/,
  /\b(?:isKeyguardShowing|mKeyguardShowing)=(true|false)/,
  /\bmShowingLockscreen=(true|false)/,
  /\bisStatusBarKeyguard=(true|false)/,
  /\bmDreamingLockscreen=(true|false)/,
]
/** An app that shows itself over the lock screen: a call, an alarm, a camera. */
const OCCLUDED = [/^[ \t]*occluded=(true|false)/m, /\bmKeyguardOccluded=(true|false)/, /\bmOccluded=(true|false)/]
/** Other users of the phone, a work profile among them, may be locked while this one is not. */
const DEVICE_LOCKED = [/\(current\)[^\n]{0,400}\bdeviceLocked=([01])/]

const isAwake = (text: string): boolean | undefined => {
  const word = first(text, [...WAKEFULNESS, ...DISPLAY])
  return word === undefined ? undefined : AWAKE.has(word.toUpperCase())
}

const isLocked = (text: string): boolean | undefined => {
  const keyguard = flag(text, KEYGUARD)
  const deviceLocked = flag(text, DEVICE_LOCKED)
  if (keyguard === undefined && deviceLocked === undefined) return undefined
  return deviceLocked === true || (keyguard === true && flag(text, OCCLUDED) !== true)
}

export const screenState = (dump: string): ScreenState => ({ awake: isAwake(dump), locked: isLocked(dump) })

type InteractiveResult = { ok: true } | { ok: false; error: ErrorObject }

/** Does something that changes the device, by somebody who owns it; false when it could not be owned. */
export type AsOwner = (work: () => Promise<void>) => Promise<boolean>

/** Wakes a device whose screen is off, by way of `asOwner`. Rejects with a LinkError when the device cannot be asked. */
export type InteractiveCheck = (link: Link, options: CallOptions, asOwner?: AsOwner) => Promise<InteractiveResult>

const alreadyOwned: AsOwner = async work => {
  await work()
  return true
}

const WAKE_COMMAND = 'input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard'
/** A keyguard that goes takes a moment: the pauses before each look after the wake-up. */
const LOOK_AGAIN_MS = [0, 300, 700]

const isInteractive = ({ awake, locked }: ScreenState) => awake === true && locked !== true

const look = async (link: Link, options: CallOptions): Promise<ScreenState> =>
  screenState((await link.shell(SCREEN_STATE_COMMAND, { ...options, maxBytes: OUTPUT_BYTES_MAX.state })).stdout)

const silent = (link: Link): InteractiveResult => ({
  ok: false,
  error: failure('DEVICE_SHELL_UNAVAILABLE', `Device ${link.serial} does not report whether its screen is on.`),
})

const notInteractive = (link: Link, { awake, locked }: ScreenState): InteractiveResult => ({
  ok: false,
  error: failure(
    'DEVICE_NOT_INTERACTIVE',
    `Device ${link.serial} ${awake ? 'is locked' : 'has its screen off'} and could not be woken.`,
    {
      details: { deviceId: link.serial, awake: awake === true, locked: locked === true },
      hint: awake
        ? 'Unlock the device; a PIN, pattern or password must be entered by hand.'
        : 'Switch the screen of the device on.',
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
export const createInteractiveCheck = (clock: Clock) => {
  const seenAt = new WeakMap<Link, ClockReading>()
  const isKnown = (link: Link): boolean => {
    const last = seenAt.get(link)
    return last !== undefined && ageMs(clock, last) < INTERACTIVE_REUSE_MS && !link.lost.aborted
  }
  const check: InteractiveCheck = async (link, options, asOwner = alreadyOwned) => {
    if (isKnown(link)) return { ok: true }
    let seen = await look(link, options)
    if (seen.awake === undefined) return silent(link)
    if (!isInteractive(seen)) {
      await asOwner(async () => {
        seen = await wake(link, options, clock)
      })
    }
    if (!isInteractive(seen)) return notInteractive(link, seen)
    seenAt.set(link, readClock(clock))
    return { ok: true }
  }
  /** The screen is about to be switched: what was seen of it does not hold any more. */
  const forget = (link: Link): void => void seenAt.delete(link)
  return Object.assign(check, { isKnown, forget })
}
