/** The built-in operator's hands and eyes: a UiDriver over the shell of any device with debugging switched on. */

import { roleOf } from '../../../contracts/device/role.ts'
import type { Point, UiNode } from '../../../contracts/device/ui-tree.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import type { Link } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import type { DeviceKey, UiDriver } from '../../screen/driver.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import { shellControls } from './controls.ts'
import { deviceShell, isTimeout, type ShellOptions } from './device-shell.ts'
import { dumpTree } from './dump.ts'
import { enterText } from './enter-text.ts'
import { openApp, openUri } from './start-activity.ts'
import { coversIn, foregroundPackageIn, screenSizeIn } from './windows.ts'

/** Longer than the longest time that a person can choose for a long press. */
export const LONG_PRESS_MS = 1_800

const KEYCODES: Record<DeviceKey, string> = {
  back: 'KEYCODE_BACK',
  home: 'KEYCODE_HOME',
  recents: 'KEYCODE_APP_SWITCH',
  enter: 'KEYCODE_ENTER',
  delete: 'KEYCODE_DEL',
}

const numbers = (...values: number[]) => values.map(value => String(Math.round(value)))

/** One driver per execution: its deadline and signal hold for every call. It has no overlay. */
export const shellDriver = (link: Link, options: ShellOptions): UiDriver => {
  const shell = deviceShell(link, options)
  const gesture = (words: string[], ms?: number) => shell.insist(commandLine('input', ...words), 'GESTURE_FAILED', ms)
  const windows = async (until?: number) =>
    (await shell.ask('dumpsys window', { until, maxBytes: OUTPUT_BYTES_MAX.state })).stdout
  const swipe = (start: Point, end: Point, durationMs: number) =>
    gesture(['swipe', ...numbers(start.x, start.y, end.x, end.y, durationMs)], durationMs)
  const touch = (point: Point, how: 'default' | 'long_click', holdMs = LONG_PRESS_MS) =>
    how === 'default' ? gesture(['tap', ...numbers(point.x, point.y)]) : swipe(point, point, holdMs)
  const focus = async (node: UiNode, point: Point) => {
    if (node.focused) return true
    if (roleOf(node) === 'textfield') return await touch(point, 'default')
    throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', 'without an operator app only text fields can be focused')
  }
  return {
    tree: options => dumpTree(shell, options?.until),
    foregroundPackage: async until => {
      try {
        return foregroundPackageIn(await windows(until))
      } catch (error) {
        if (isTimeout(error) && until !== undefined && options.clock.now() < options.deadline) return ''
        throw error
      }
    },
    click: (node, how, point) => (how === 'focus' ? focus(node, point) : touch(point, how)),
    covers: async () => coversIn(await windows()),
    tap: touch,
    async screenSize() {
      const size = screenSizeIn(await windows())
      if (size) return size
      throw new StepFailure('GESTURE_FAILED', 'the device does not say how large its screen is')
    },
    swipe,
    enterText: (node, text, how) => enterText(shell, node, text, how),
    pressKey: key => shell.insist(commandLine('input', 'keyevent', KEYCODES[key]), 'GLOBAL_ACTION_FAILED'),
    openApp: applicationId => openApp(shell, applicationId),
    openUri: uri => openUri(shell, uri),
    controls: shellControls(shell),
  }
}
