/** Gives the operator's engine the screen of the simulated phone directly, as an accessibility service has it, and draws its overlay. */

import type { Point } from '../../contracts/device/ui-tree.ts'
import type { ClickType, DeviceKey, Overlay, OverlaySettings, UiDriver } from '../../device/screen/driver.ts'
import { LOG_PADDING_DP } from '../render/overlay.ts'
import { LINE_PIXELS, letterPixel, linesOf, type Metrics, pixelsOf } from '../render/typesetting.ts'
import type { ScenarioApp } from '../scenario/app.ts'
import { LONG_TOAST_MS, type Overlays, SHORT_TOAST_MS } from '../ui/overlays.ts'
import type { Ui } from '../ui/ui.ts'

interface OverlayFacts {
  overlays: Overlays
  metrics(): Metrics
  properties: ReadonlyMap<string, string>
  foregroundApp(): ScenarioApp
}

/** Replaces the picture of an app in a text. */
const ICON = '▣'

const languageOf = (properties: ReadonlyMap<string, string>) => {
  const tag = properties.get('persist.sys.locale') ?? 'en-US'
  const [code = 'en'] = tag.split('-')
  return { tag, code, name: new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code }
}

const placeholders = ({ properties, foregroundApp }: OverlayFacts): Readonly<Record<string, () => string>> => ({
  'foreground_app.icon': () => ICON,
  'foreground_app.package_name': () => foregroundApp().package,
  'foreground_app.version_code': () => String(foregroundApp().versionCode),
  'foreground_app.version_name': () => foregroundApp().versionName,
  'device.manufacturer': () => properties.get('ro.product.manufacturer') ?? '',
  'device.model': () => properties.get('ro.product.model') ?? '',
  'system.language_code': () => languageOf(properties).code,
  'system.language_tag': () => languageOf(properties).tag,
  'system.language_name': () => languageOf(properties).name,
})

/** Keeps as many lines as there is room for below the offset. */
const fitIn = ({ text, widthDp, topOffsetDp, fontSizeSp }: OverlaySettings, metrics: Metrics) => {
  const pixel = letterPixel(fontSizeSp, metrics)
  const padding = 2 * pixelsOf(LOG_PADDING_DP, metrics)
  const width = Math.min(metrics.width, pixelsOf(widthDp, metrics)) - padding
  const height = metrics.height - pixelsOf(topOffsetDp, metrics) - padding
  const most = Math.max(1, Math.floor(height / (LINE_PIXELS * pixel)))
  const lines = linesOf(text, Math.floor(width / pixel), most + 1)
  return { lines: lines.slice(0, most), truncated: lines.length > most }
}

const createOverlay = (facts: OverlayFacts): Overlay => {
  const { overlays, metrics } = facts
  const values = placeholders(facts)
  return {
    async showToast(text, duration) {
      overlays.toast(text, duration === 'long' ? LONG_TOAST_MS : SHORT_TOAST_MS)
      return true
    },
    cancelToast: async () => overlays.cancelToast(),
    async show(settings) {
      const { lines, truncated } = fitIn(settings, metrics())
      overlays.log({ ...settings, lines }, settings.ttlMs)
      return { rendered: truncated ? lines.join('\n') : settings.text, truncated }
    },
    clear: async () => overlays.clearLog(),
    placeholder: async name => values[name]?.() ?? '',
  }
}

const KEY_NAMES: Readonly<Record<DeviceKey, string>> = {
  back: 'BACK',
  home: 'HOME',
  recents: 'APP_SWITCH',
  enter: 'ENTER',
  delete: 'DEL',
}

export const createUiDriver = (options: OverlayFacts & { ui: Ui; isAwake(): boolean }): UiDriver => {
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
