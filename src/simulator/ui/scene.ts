/** Defines a scene: the visible screen, and the screens below it. */
import type { Bounds } from '../../operator/engine/ui-tree.ts'
import type { Entry } from './entry.ts'
import type { Laid } from './layout.ts'

export interface Layer {
  entry: Entry
  roots: Laid['roots']
  window: Bounds
}

/** The content of a picture of the screen. The same object for as long as nothing has changed. */
export interface Scene extends Layer {
  /** The layers that can be seen around a dialog, the lowest first. */
  below: readonly Layer[]
  keyboard: Bounds | undefined
}
