/** The driver of a screen. The simulated operator app has one over its UI model, `svc.shell` one over a link. */

import type { Point, UiNode, UiTree } from '../../contracts/device/ui-tree.ts'
import type { WebQuery } from './patterns/flow-words.ts'
import { guardedControls, type PhoneControls } from './phone-controls.ts'
import type { Cover } from './tap-point.ts'

export type ClickType = 'default' | 'long_click' | 'focus'
export type DeviceKey = 'back' | 'home' | 'recents' | 'enter' | 'delete'

export interface TextEntry {
  append: boolean
  submit: boolean
  /** Left out for a field that has the focus. */
  point?: Point | undefined
}

export interface OverlaySettings {
  text: string
  anchor: string
  textAlign: string
  topOffsetDp: number
  edgeOffsetDp: number
  widthDp: number
  fontSizeSp: number
  textColor: string
  backgroundColor: string
  ttlMs: number
}

/** Toasts and the on-screen log; a driver that cannot draw has none. */
export interface Overlay {
  showToast(text: string, duration: 'short' | 'long'): Promise<boolean>
  cancelToast(): Promise<void>
  /** Shows the text with its placeholders filled in, and says what was shown. */
  show(settings: OverlaySettings): Promise<{ rendered: string; truncated: boolean }>
  clear(): Promise<void>
  /** The values of template placeholders (`foreground_app.package_name`, ...) at this moment. */
  placeholder(name: string): Promise<string>
}

export interface ScreenSize {
  width: number
  height: number
}

export interface TreeOptions {
  /** Asks for all facts of each node, to show the tree, even where that takes longer. */
  complete?: boolean
  /** When the tree is of no use any more, in epoch ms. */
  until?: number | undefined
  /** Asks for the pages in web views too. */
  web?: WebQuery | undefined
}

/**
 * Every method resolves; `false` means the device refused the gesture. A driver whose link is lost rejects, which ends
 * the execution and not just the step.
 */
export interface UiDriver {
  /**
   * The nodes on the screen now. When no hierarchy can be had: undefined, or SNAPSHOT_HIERARCHY_UNAVAILABLE with the
   * reason.
   */
  tree(options?: TreeOptions): Promise<UiTree | undefined>
  /** Empty when nothing is in front, or when it is not known by `until`. */
  foregroundPackage(until?: number): Promise<string>
  /** The node that takes the click, and a point of the screen where it does. */
  click(node: UiNode, how: ClickType, point: Point): Promise<boolean>
  /** The covers over the window in front. Only present in a driver that clicks by touching the screen. */
  covers?(): Promise<readonly Cover[]>
  /** A long click holds for `holdMs` where that is given. */
  tap(point: Point, how: 'default' | 'long_click', holdMs?: number): Promise<boolean>
  /** The size of the screen as it is turned now; missing where only the host knows it. */
  screenSize?(): Promise<ScreenSize>
  swipe(start: Point, end: Point, durationMs: number): Promise<boolean>
  /** Puts text into a field: instead of what it holds, or after it. The point is where a touch gives it the focus. */
  enterText(node: UiNode, text: string, how: TextEntry): Promise<boolean>
  pressKey(key: DeviceKey): Promise<boolean>
  openApp(applicationId: string): Promise<'opened' | 'not-found'>
  /** False when no app handles it. */
  openUri(uri: string): Promise<boolean>
  readonly overlay?: Overlay
  readonly controls?: PhoneControls
}

const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    const leave = () => signal.removeEventListener('abort', abort)
    work.then(resolve, reject).finally(leave)
  })

export const guardedDriver = (driver: UiDriver, signal: AbortSignal, mayAct: () => void = () => {}): UiDriver => {
  const guard =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      signal.throwIfAborted()
      mayAct()
      return await orAborted(call(...args), signal)
    }
  const guardedOverlay = (overlay: Overlay): Overlay => ({
    showToast: guard((text, duration) => overlay.showToast(text, duration)),
    cancelToast: guard(() => overlay.cancelToast()),
    show: guard(settings => overlay.show(settings)),
    clear: guard(() => overlay.clear()),
    placeholder: guard(name => overlay.placeholder(name)),
  })
  return {
    tree: guard(options => driver.tree(options)),
    foregroundPackage: guard(until => driver.foregroundPackage(until)),
    click: guard((node, how, point) => driver.click(node, how, point)),
    ...(driver.covers ? { covers: guard(async () => (await driver.covers?.()) ?? []) } : {}),
    tap: guard((point, how, holdMs) => driver.tap(point, how, holdMs)),
    ...(driver.screenSize
      ? { screenSize: guard(async () => (await driver.screenSize?.()) ?? { width: 0, height: 0 }) }
      : {}),
    swipe: guard((start, end, durationMs) => driver.swipe(start, end, durationMs)),
    enterText: guard((node, text, options) => driver.enterText(node, text, options)),
    pressKey: guard(key => driver.pressKey(key)),
    openApp: guard(applicationId => driver.openApp(applicationId)),
    openUri: guard(uri => driver.openUri(uri)),
    ...(driver.overlay ? { overlay: guardedOverlay(driver.overlay) } : {}),
    ...(driver.controls ? { controls: guardedControls(driver.controls, guard) } : {}),
  }
}
