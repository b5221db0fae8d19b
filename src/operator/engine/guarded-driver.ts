/** A driver that is asked nothing more, and waited for no longer, once the run has been aborted or may not act. */
import type { Overlay, UiDriver } from './driver.ts'

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
    <A extends unknown[], T>(call: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      signal.throwIfAborted()
      mayAct()
      return await orAborted(call(...given), signal)
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
    tap: guard((point, how) => driver.tap(point, how)),
    swipe: guard((start, end, durationMs) => driver.swipe(start, end, durationMs)),
    enterText: guard((node, text, options) => driver.enterText(node, text, options)),
    pressKey: guard(key => driver.pressKey(key)),
    openApp: guard(applicationId => driver.openApp(applicationId)),
    openUri: guard(uri => driver.openUri(uri)),
    ...(driver.overlay ? { overlay: guardedOverlay(driver.overlay) } : {}),
  }
}
