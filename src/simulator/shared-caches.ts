/** The parts of simulated phones that depend on their scenario alone, so that those of a fleet have them in common. */
import { type Camera, createCamera } from './render/screen.ts'
import type { Metrics } from './render/typesetting.ts'
import type { Scenario } from './scenario/scenario.ts'
import { createLayouts, type Layouts } from './ui/layout-cache.ts'
import { onItsSide } from './ui/rotation.ts'

export interface SharedCaches {
  layouts: Layouts
  /** The screen on its side. */
  sideways: Metrics
  camera: Camera
  sidewaysCamera: Camera
}

export const createSharedCaches = ({ device }: Scenario): SharedCaches => {
  const sideways = onItsSide(device.size)
  return {
    layouts: createLayouts(),
    sideways,
    camera: createCamera(device.size),
    sidewaysCamera: createCamera(sideways),
  }
}
