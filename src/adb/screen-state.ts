/** Reads the screen's state from `dumpsys`: awake or not, locked or not. The words differ between Android versions. */

export interface ScreenState {
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
