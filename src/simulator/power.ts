/** Switches the display on and off, and puts up the keyguard when it goes off. */
import type { Ui } from './ui/ui.ts'

interface Power {
  isAwake(): boolean
  isLocked(): boolean
  wake(): void
  sleep(): void
  /** False for a keyguard that only a person can pass. */
  dismissKeyguard(): boolean
}

export const createPower = (ui: Ui, { screenOff, locked }: { screenOff: boolean; locked: boolean }): Power => {
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
    dismissKeyguard() {
      if (ui.keyguard() === 'secure') return false
      if (awake) ui.setKeyguard('none')
      return awake
    },
  }
}
