/** Which package is in front, read from `dumpsys window`. */

/** `Window{3a0e2f1 u0 com.example/com.example.Main}`; a popup or the status bar has a title without a slash. */
const FOCUSED_WINDOW = /mCurrentFocus=Window\{\S+ u\d+ ([\w.]+)\//
/** `ActivityRecord{6d1c0a7 u0 com.example/.Main t12}`, in older versions within a token. */
const FOCUSED_ACTIVITY = /mFocusedApp=.*?ActivityRecord\{\S+ u\d+ ([\w.]+)\//

/** Empty when nothing of an application has the focus. The lines come once per display, the empty ones among them. */
export const foregroundPackageIn = (dump: string): string =>
  (FOCUSED_WINDOW.exec(dump) ?? FOCUSED_ACTIVITY.exec(dump))?.[1] ?? ''
