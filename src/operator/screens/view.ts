/** The view of the screen that an execution is to return, as plain data in its job. */

export interface ScreenView {
  /** The key of the device's lease, under which its screens are numbered. */
  device: string
  /** Snapshots are answered in compact lines. */
  isCompact: boolean
  /** The execution whose screen the changes are compared to. */
  since?: string | undefined
  /** The screen is described once the steps are over. */
  isObserved: boolean
}
