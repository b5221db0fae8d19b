/** What an execution is to show of the screen, as plain data in its job. */

export interface ScreenView {
  /** The key of the device's lease, under which its screens are numbered. */
  device: string
  /** Snapshots are answered in compact lines. */
  isCompact: boolean
  /** What has changed since the screen of that execution. */
  since?: string | undefined
  /** The screen is described once the steps are over. */
  isObserved: boolean
}
