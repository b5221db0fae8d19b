/** Runs the installable helpers of a simulated phone: those of `svc.uiautomator`. */
import type { Clock } from '../../runtime/clock.ts'
import { countedFaults } from '../operator-app/fault-plan.ts'
import { createPackageManager } from '../package-manager.ts'
import type { Finger, PhoneFiles } from '../phone-parts.ts'
import type { ScenarioApp } from '../scenario/app.ts'
import type { Fault } from '../scenario/fault.ts'
import type { Packages } from '../scenario-packages.ts'
import type { Screen } from './hierarchy.ts'
import { createKeyboards, HELPER_KEYBOARD, HELPER_KEYBOARD_PACKAGE, type Keys } from './keyboards.ts'
import { HELPER_PACKAGE } from './requests.ts'
import { createSnapshotHelper } from './snapshot-helper.ts'
import { createUiAutomation } from './touch-plan.ts'

interface HelpersOptions {
  /** Packages of the system, installed from the beginning. */
  packages: Packages
  /** The applications that can be opened; changed as packages come and go. */
  apps: ScenarioApp[]
  /** Its screens close. */
  closeApp(packageName: string): void
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
  const { packages: builtIn, apps, files, settings, sdk, faults, closeApp } = options
  const automation = createUiAutomation()
  const snapshot = createSnapshotHelper({ ...options, automation })
  const stop = (name: string) => {
    if (name === HELPER_PACKAGE) snapshot.kill()
  }
  const packages = createPackageManager({
    packages: builtIn,
    apps,
    files,
    sdk,
    faults: countedFaults(faults, ['install-refused']),
    onGone(name) {
      stop(name)
      closeApp(name)
      if (!packages.names().includes(name)) keyboards.forget(name)
    },
  })
  const { isInstalled } = packages
  const keyboards = createKeyboards({ settings, isInstalled, faults, keys: options.keys })
  for (const apk of options.apks) {
    const refused = packages.install([apk], { replace: true, downgrade: false, testOnly: false })
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
