/** Keeps the overlays above every screen, in no window: toasts, and the on-screen log of the operator. */
import type { OverlaySettings } from '../../device/screen/driver.ts'
import type { Clock } from '../../runtime/clock.ts'

type LogStyle = Omit<OverlaySettings, 'text' | 'ttlMs'>

export interface ScreenLog extends LogStyle {
  lines: readonly string[]
}

export const SHORT_TOAST_MS = 2_000
export const LONG_TOAST_MS = 3_500

export const createOverlays = (clock: Clock) => {
  let toast: { text: string; until: number } | undefined
  let log: { log: ScreenLog; until: number } | undefined
  return {
    /** The toast and the log that are visible now. */
    shown(): { toast?: string; log?: ScreenLog } {
      const now = clock.now()
      return {
        ...(toast && toast.until > now ? { toast: toast.text } : {}),
        ...(log && log.until > now ? { log: log.log } : {}),
      }
    },
    toast(text: string, ms: number) {
      toast = { text, until: clock.now() + ms }
    },
    cancelToast() {
      toast = undefined
    },
    log(screenLog: ScreenLog, ms: number) {
      log = { log: screenLog, until: clock.now() + ms }
    },
    clearLog() {
      log = undefined
    },
  }
}

export type Overlays = ReturnType<typeof createOverlays>
