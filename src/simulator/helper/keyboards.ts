/** The keyboards of a simulated phone, and the helper among them that types what a broadcast brings. */
import { countedFaults } from '../operator-app/fault-plan.ts'
import type { Intent } from '../phone-parts.ts'
import type { Fault } from '../scenario/fault.ts'

export const HELPER_KEYBOARD_PACKAGE = 'com.callstack.agentdevice.imehelper'
export const HELPER_KEYBOARD = `${HELPER_KEYBOARD_PACKAGE}/.TestInputMethodService`
const USUAL_KEYBOARD = 'com.android.inputmethod.latin/.LatinIME'
const CURRENT = 'secure/default_input_method'
const ENABLED = 'secure/enabled_input_methods'
const ACTION = `${HELPER_KEYBOARD_PACKAGE}.ACTION_`
const PROTOCOL = 'android-ime-helper-v1'
const BASE64_CHARS_MAX = 64_000
const TEXT_CHARS_MAX = 32_000

/** The effects that a keyboard has on the focused field. */
export interface Keys {
  type(text: string): void
  clear(): void
}

interface KeyboardsOptions {
  settings: Map<string, string>
  isInstalled(packageName: string): boolean
  faults: readonly Fault[]
  keys: Keys
}

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/

/** Undefined for what the helper drops. */
const decoded = (base64: string): string | undefined =>
  base64.length <= BASE64_CHARS_MAX && BASE64.test(base64) ? Buffer.from(base64, 'base64').toString('utf8') : undefined

export const createKeyboards = ({ settings, isInstalled, faults, keys }: KeyboardsOptions) => {
  const deaf = countedFaults(faults, ['keyboard-deaf'])
  const all = (): readonly string[] => [
    USUAL_KEYBOARD,
    ...(isInstalled(HELPER_KEYBOARD_PACKAGE) ? [HELPER_KEYBOARD] : []),
  ]
  const enabled = (): readonly string[] =>
    (settings.get(ENABLED) ?? USUAL_KEYBOARD).split(':').filter(id => all().includes(id))
  const keep = (ids: readonly string[]) => void settings.set(ENABLED, ids.join(':'))
  const dropCurrent = (id: string) => {
    if (settings.get(CURRENT) === id) settings.set(CURRENT, USUAL_KEYBOARD)
  }

  return {
    all,
    enabled,
    /** False for a keyboard that is not there. */
    setEnabled(id: string, on: boolean) {
      if (!all().includes(id)) return false
      const others = enabled().filter(one => one !== id)
      keep(on ? [...others, id] : others)
      if (!on) dropCurrent(id)
      return true
    },
    /** False for one that is not enabled. */
    select(id: string) {
      if (!enabled().includes(id)) return false
      settings.set(CURRENT, id)
      return true
    },
    /** True when the intent was for the helper, whatever became of it. */
    receive({ packageName, action, extras }: Intent) {
      if (packageName !== HELPER_KEYBOARD_PACKAGE || settings.get(CURRENT) !== HELPER_KEYBOARD) return false
      // No answer tells a text that was taken from one that was not.
      if ((extras.protocol ?? PROTOCOL) !== PROTOCOL || deaf().length > 0) return true
      const { text = '' } = extras
      const commit = (taken: string | undefined) => taken !== undefined && keys.type(taken.slice(0, TEXT_CHARS_MAX))
      if (action === `${ACTION}INPUT_TEXT_B64`) commit(decoded(text))
      else if (action === `${ACTION}INPUT_TEXT`) commit(text)
      else if (action === `${ACTION}CLEAR_TEXT`) keys.clear()
      return true
    },
    /** The package has been removed. */
    forget(packageName: string) {
      if (packageName !== HELPER_KEYBOARD_PACKAGE) return
      keep(enabled().filter(id => id !== HELPER_KEYBOARD))
      dropCurrent(HELPER_KEYBOARD)
    },
  }
}
