/** Switches the display on and off, puts up the keyguard when it goes off, and keeps keys and touches from a dark screen. */
import type { Finger } from './phone-parts.ts'
import { isKeyName } from './ui/key-names.ts'
import type { Ui } from './ui/ui.ts'

export const createPower = (ui: Ui, { screenOff, locked }: { screenOff: boolean; locked: boolean }) => {
  const keyguard = locked ? 'secure' : 'swipe'
  let awake = !screenOff
  if (screenOff || locked) ui.setKeyguard(keyguard)
  return {
    isAwake: () => awake,
    isLocked: () => ui.keyguard() !== 'none',
    wake() {
      awake = true
    },
    sleep() {
      awake = false
      ui.setKeyguard(keyguard)
    },
    /** False for a keyguard that only a person can pass. */
    dismissKeyguard() {
      if (ui.keyguard() === 'secure') return false
      if (awake) ui.setKeyguard('none')
      return awake
    },
  }
}

/** Keys of the phone itself, and those of its screen while that is on. False for a name that no key has. */
export const keysOf = (power: ReturnType<typeof createPower>, ui: Pick<Ui, 'key'>) => {
  const powerKeys: Readonly<Record<string, () => void>> = {
    WAKEUP: power.wake,
    SLEEP: power.sleep,
    SOFT_SLEEP: power.sleep,
    POWER: () => (power.isAwake() ? power.sleep() : power.wake()),
  }
  return (name: string): boolean => {
    const act = powerKeys[name]
    if (act) act()
    else if (power.isAwake()) return ui.key(name)
    return isKeyName(name)
  }
}

interface FingerOptions {
  ui: Pick<Ui, 'tap' | 'longPress' | 'swipe'>
  whenAwake(act: () => void): void
  /** Told behind each tap. */
  tapped(): void
}

/** A screen that sleeps takes no touch. */
export const fingerOf = ({ ui, whenAwake, tapped }: FingerOptions): Finger => ({
  tap(point) {
    whenAwake(() => ui.tap(point))
    tapped()
  },
  longPress: point => whenAwake(() => ui.longPress(point)),
  swipe: (start, end, durationMs) => whenAwake(() => ui.swipe(start, end, durationMs)),
})
