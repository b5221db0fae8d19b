/** Refuses points outside of the screen, whose size is read once and again before a refusal: the screen may have turned. */
import type { DeviceInfo } from '../../../contracts/device/device.ts'
import type { Point } from '../../../contracts/device/ui-tree.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import { deviceOf, type LiveSession, type ScreenSize } from '../session/live-session.ts'

/** The size is told as the device is built; where nobody knows how it is turned, both ways are possible. */
const sizeOf = ({ display, orientation }: Pick<DeviceInfo, 'display' | 'orientation'>): ScreenSize | undefined => {
  if (!display) return undefined
  const [short, long] = [Math.min(display.width, display.height), Math.max(display.width, display.height)]
  if (orientation === undefined) return { width: long, height: long }
  return orientation === 'landscape' ? { width: long, height: short } : { width: short, height: long }
}

/** As W3C says: the edges belong to the screen. */
const isInside = ({ x, y }: Point, { width, height }: ScreenSize): boolean =>
  x >= 0 && y >= 0 && x <= width && y <= height

const outside = ({ x, y }: Point, size?: ScreenSize): WebDriverError => {
  const has = size ? `, which has ${size.width}x${size.height} pixels` : ''
  return new WebDriverError('move target out of bounds', `The point ${x},${y} is outside of the screen${has}.`)
}

/** Undefined for a phone that does not tell. */
export const readScreenSize = async (session: LiveSession): Promise<ScreenSize | undefined> =>
  sizeOf(await deviceOf(session))

/** Throws `move target out of bounds`. Reads nothing where all points are on the screen as it was last seen. */
export const refuseOutside = async (session: LiveSession, points: readonly Point[]): Promise<void> => {
  const negative = points.find(({ x, y }) => x < 0 || y < 0)
  if (negative) throw outside(negative)
  const { screenSize: known } = session
  if (known && points.every(point => isInside(point, known))) return
  const size = await readScreenSize(session)
  if (!size) return
  session.screenSize = size
  const beyond = points.find(point => !isInside(point, size))
  if (beyond) throw outside(beyond, size)
}

/** For points near an element: they read the size only where no way to turn the screen would have room for them. */
export const refuseFarOutside = async (session: LiveSession, point: Point): Promise<void> => {
  const { 'appium:viewportRect': rect } = session.capabilities
  const { width = 0, height = 0 } = (rect ?? {}) as Partial<ScreenSize>
  const longest = Math.max(width, height)
  if (!isInside(point, { width: longest, height: longest })) await refuseOutside(session, [point])
}
