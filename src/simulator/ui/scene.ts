/** What can be seen on the screen, and what lies below it. */
import type { Bounds } from '../../operator/engine/ui-tree.ts'
import type { Entry } from './entry.ts'
import type { Laid } from './layout.ts'

export interface Layer {
  entry: Entry
  roots: Laid['roots']
  window: Bounds
}

/** What a picture of the screen shows. The same object for as long as nothing has changed. */
export interface Scene extends Layer {
  /** What can be seen around a dialog, the lowest first. */
  below: readonly Layer[]
  keyboard: Bounds | undefined
}
