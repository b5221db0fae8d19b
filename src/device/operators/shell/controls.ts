/** The controls of a phone by the tools of its shell. */

import type { Point } from '../../../contracts/device/ui-tree.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import type { PhoneControls } from '../../screen/phone-controls.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import type { DeviceShell } from './device-shell.ts'
import { TEXT_KEY_MS } from './enter-text.ts'
import { coversIn, isShadeFocusedIn } from './windows.ts'

/** From Android 12 on `input` runs inside the system; before, each call starts a program that takes too long for two taps. */
const FAST_INPUT_SDK = 31
/** `draganddrop` counts the system's own long press into its duration, and moves nothing in a shorter one. */
const DRAG_AND_DROP_MS = 1_500

const SHORT_NAMES: Readonly<Record<string, string>> = { recents: 'app_switch', delete: 'del' }
const SHADES = { notifications: 'expand-notifications', quick_settings: 'expand-settings' } as const

const at = (...points: readonly Point[]) => points.flatMap(({ x, y }) => [String(Math.round(x)), String(Math.round(y))])

const needsHelper = (reason: string) =>
  new StepFailure('EXECUTION_ACTION_UNSUPPORTED', reason, {
    hint: 'Install the helper with svc operator install, and use svc.uiautomator as `operatorPackage`.',
  })

export const shellControls = (shell: DeviceShell): PhoneControls => {
  const windows = async () => (await shell.ask('dumpsys window', { maxBytes: OUTPUT_BYTES_MAX.state })).stdout
  const statusBar = (verb: string) => shell.insist(commandLine('cmd', 'statusbar', verb), 'GLOBAL_ACTION_FAILED')
  return {
    async doubleTap(point) {
      const { stdout } = await shell.ask(commandLine('getprop', 'ro.build.version.sdk'))
      if (!(Number(stdout.trim()) >= FAST_INPUT_SDK)) {
        throw needsHelper('before Android 12 two taps of the shell are too far apart')
      }
      const tap = commandLine('input', 'tap', ...at(point))
      return await shell.insist(`${tap} && ${tap}`, 'GESTURE_FAILED')
    },
    drag(start, end, { holdMs, durationMs }) {
      const ms = holdMs === 0 ? durationMs : Math.max(DRAG_AND_DROP_MS, holdMs + durationMs)
      const verb = holdMs === 0 ? 'swipe' : 'draganddrop'
      return shell.insist(commandLine('input', verb, ...at(start, end), String(ms)), 'GESTURE_FAILED', ms)
    },
    async pinch() {
      throw needsHelper('the shell of a device has one finger, and a pinch takes two')
    },
    async moveFingers() {
      throw needsHelper('the shell of a device moves one finger, along one line')
    },
    pressKey(name, isLong) {
      const code = `KEYCODE_${(SHORT_NAMES[name] ?? name).toUpperCase()}`
      return shell.insist(
        commandLine('input', 'keyevent', ...(isLong ? ['--longpress'] : []), code),
        'GLOBAL_ACTION_FAILED',
      )
    },
    erase(characters) {
      const keys = Array.from({ length: characters }, () => 'KEYCODE_DEL')
      return shell.insist(commandLine('input', 'keyevent', ...keys), 'ACTION_FAILED', characters * TEXT_KEY_MS)
    },
    isKeyboardShown: async () => coversIn(await windows()).some(({ kind }) => kind === 'keyboard'),
    expandShade: shade => statusBar(SHADES[shade]),
    collapseShade: () => statusBar('collapse'),
    isShadeOpen: async () => isShadeFocusedIn(await windows()),
  }
}
