/** Switches the display on and off, and puts up the keyguard when it goes off. */
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
