/** Runs the installable helpers of a simulated phone: those of `svc.uiautomator`. */
import type { Clock } from '../../runtime/clock.ts'
import { countedFaults } from '../operator-app/fault-plan.ts'
import { createPackageManager, type Packages } from '../package-manager.ts'
import type { Finger, PhoneFiles } from '../phone-parts.ts'
import type { Fault } from '../scenario/fault.ts'
import type { Screen } from './hierarchy.ts'
import { createKeyboards, HELPER_KEYBOARD, HELPER_KEYBOARD_PACKAGE, type Keys } from './keyboards.ts'
import { HELPER_PACKAGE } from './requests.ts'
import { createSnapshotHelper } from './snapshot-helper.ts'
import { createUiAutomation } from './touch-plan.ts'

interface HelpersOptions {
  /** Packages of the system, installed from the beginning. */
  packages: Packages
  /** Installed before the phone is used. */
  apks: readonly Uint8Array[]
  files: PhoneFiles
  settings: Map<string, string>
  sdk: number
  faults: readonly Fault[]
  waits: Clock
  screen(): Screen | undefined
  finger: Finger
  keys: Keys
}

const KEYBOARD_PID = 8_999

export const createHelpers = (options: HelpersOptions) => {
  const { packages: builtIn, files, settings, sdk, faults } = options
  const automation = createUiAutomation()
  const snapshot = createSnapshotHelper({ ...options, automation })
  const stop = (name: string) => {
    if (name === HELPER_PACKAGE) snapshot.kill()
  }
  const packages = createPackageManager({
    packages: builtIn,
    files,
    sdk,
    faults: countedFaults(faults, ['install-refused']),
    onGone(name) {
      stop(name)
      if (!packages.names().includes(name)) keyboards.forget(name)
    },
  })
  const isInstalled = (name: string) => packages.names().includes(name) && !builtIn.names.includes(name)
  const keyboards = createKeyboards({ settings, isInstalled, faults, keys: options.keys })
  for (const apk of options.apks) {
    const refused = packages.install(apk, { replace: true, downgrade: false })
    if (refused !== undefined) throw new TypeError(`an APK cannot be installed: ${refused}`)
  }

  return {
    packages,
    automation,
    snapshot,
    keyboards,
    isInstalled,
    stop,
    /** Processes of installed helpers, which run only while they are used. */
    processes(): readonly { name: string; pid: number }[] {
      const pid = snapshot.pid()
      const isTyping = settings.get('secure/default_input_method') === HELPER_KEYBOARD
      return [
        ...(pid === undefined ? [] : [{ name: HELPER_PACKAGE, pid }]),
        ...(isTyping ? [{ name: HELPER_KEYBOARD_PACKAGE, pid: KEYBOARD_PID }] : []),
      ]
    },
  }
}

export type PhoneHelpers = ReturnType<typeof createHelpers>
