/** Keeps the overlays above every screen, in no window: toasts, and the on-screen log of the operator. */
import type { OverlaySettings } from '../../operator/engine/driver.ts'
import type { Clock } from '../../runtime/clock.ts'

type LogStyle = Omit<OverlaySettings, 'text' | 'ttlMs'>

export interface ScreenLog extends LogStyle {
  lines: readonly string[]
}

export interface Overlays {
  /** The toast and the log that are visible now. */
  shown(): { toast?: string; log?: ScreenLog }
  toast(text: string, ms: number): void
  cancelToast(): void
  log(log: ScreenLog, ms: number): void
  clearLog(): void
}

export const SHORT_TOAST_MS = 2_000
export const LONG_TOAST_MS = 3_500

export const createOverlays = (clock: Clock): Overlays => {
  let toast: { text: string; until: number } | undefined
  let log: { log: ScreenLog; until: number } | undefined
  return {
    shown() {
      const now = clock.now()
      return {
        ...(toast && toast.until > now ? { toast: toast.text } : {}),
        ...(log && log.until > now ? { log: log.log } : {}),
      }
    },
    toast(text, ms) {
      toast = { text, until: clock.now() + ms }
    },
    cancelToast() {
      toast = undefined
    },
    log(shown, ms) {
      log = { log: shown, until: clock.now() + ms }
    },
    clearLog() {
      log = undefined
    },
  }
}
