/** Screenshots of simulated phones: one that shows nothing new is the one before. */
import { createRenderer, type Picture } from './render/screen.ts'
import type { Metrics } from './render/typesetting.ts'
import type { Laid } from './ui/layout.ts'

export interface Camera {
  /** Undefined for a display that is off. */
  take(picture: Picture | undefined): Uint8Array
}

/** May be shared by phones of one size. */
export const createCamera = (metrics: Metrics): Camera => {
  const taken = new WeakMap<Laid['roots'], Uint8Array>()
  const { png } = createRenderer(metrics)
  let dark: Uint8Array | undefined
  return {
    take(picture) {
      if (!picture) {
        dark ??= png(undefined)
        return dark
      }
      const { scene, overlays } = picture
      const isPlain = scene.below.length === 0 && !scene.keyboard && overlays.toast === undefined && !overlays.log
      if (!isPlain) return png(picture)
      const shot = taken.get(scene.roots) ?? png(picture)
      taken.set(scene.roots, shot)
      return shot
    },
  }
}
