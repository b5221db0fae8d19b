/** How the screen of a simulated phone is turned. */
import type { Metrics } from '../render/typesetting.ts'
import type { OpenScreen } from './open-screen.ts'

export interface Turning {
  /** In quarter turns, counter-clockwise: as the settings have it. */
  rotation(): number
  /** The same object for all phones that share their layouts. */
  sideways: Metrics
}

export const onItsSide = ({ width, height, density }: Metrics): Metrics => ({ width: height, height: width, density })

/** The bounds of a real dump are given: such a screen stays as it was when it was dumped. */
export const holdsItsOrientation = ({ screen }: OpenScreen): boolean => !screen.frame || screen.rotation !== 0

export const isSideways = (rotation: number): boolean => rotation % 2 === 1
