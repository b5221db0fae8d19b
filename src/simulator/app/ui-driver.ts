/** The engine's way to the screen of the simulated phone: directly, as an accessibility service has it. */
import type { ClickType, DeviceKey, UiDriver } from '../../operator/engine/driver.ts'
import type { Point } from '../../operator/engine/ui-tree.ts'
import type { Ui } from '../ui/ui.ts'
import { createOverlay, type OverlayFacts } from './overlay.ts'

const KEY_NAMES: Readonly<Record<DeviceKey, string>> = {
  back: 'BACK',
  home: 'HOME',
  recents: 'APP_SWITCH',
  enter: 'ENTER',
  delete: 'DEL',
}

export interface UiDriverOptions extends OverlayFacts {
  ui: Ui
  isAwake(): boolean
}

export const createUiDriver = (options: UiDriverOptions): UiDriver => {
  const { ui, isAwake } = options
  const acting = async (act: () => unknown): Promise<boolean> => isAwake() && act() !== false
  const touch = (point: Point, how: ClickType) => (how === 'default' ? ui.tap(point) : ui.longPress(point))
  return {
    tree: async () => (isAwake() ? ui.tree() : undefined),
    foregroundPackage: async () => ui.foreground().packageName,
    // A node that declares no clicks has no click to perform: only a touch reaches it.
    click: (node, how, point) =>
      acting(() => (node.clickable || node.longClickable || how === 'focus' ? ui.click(node, how) : touch(point, how))),
    tap: (point, how) => acting(() => touch(point, how)),
    swipe: (start, end, durationMs) => acting(() => ui.swipe(start, end, durationMs)),
    enterText: (node, text, how) => acting(() => ui.setText(node, text, how)),
    pressKey: key => acting(() => ui.key(KEY_NAMES[key])),
    openApp: async packageName => (ui.launch(packageName) ? 'opened' : 'not-found'),
    openUri: async data => ui.start({ action: 'android.intent.action.VIEW', data, extras: {} }),
    overlay: createOverlay(options),
  }
}
