/** The arithmetic of a picture that is zoomed and scrolled in its box. */
import { LEAST_TEXT_PX, TEXT_PX } from '../../../../statecharts/text-size.ts'

export interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

/** A part of the picture as it was drawn. */
export type Area = Point & Size

/** How large the picture is shown, and how far its box is scrolled. */
export interface Placement {
  scale: number
  left: number
  top: number
}

export interface Frame {
  /** The size as it was drawn. */
  picture: Size
  box: Size
}

/** The smallest scale at which the texts of a picture can be read. */
export const READABLE_SCALE = LEAST_TEXT_PX / TEXT_PX

export const LARGEST_SCALE = 4

/** Shows the whole picture, no larger than drawn. */
export const wholeScale = ({ picture, box }: Frame): number =>
  Math.min(1, box.width / picture.width, box.height / picture.height)

/** Shows the whole picture if its texts can be read then. */
export const openingScale = (frame: Frame): number => Math.max(READABLE_SCALE, wholeScale(frame))

const limitScale = (scale: number, frame: Frame): number =>
  Math.min(LARGEST_SCALE, Math.max(scale, Math.min(READABLE_SCALE, wholeScale(frame))))

/** A picture that is smaller than its box lies in the middle of it. */
const marginOf = (picture: number, box: number) => Math.max(0, (box - picture) / 2)

const limitScroll = (scroll: number, picture: number, box: number) =>
  Math.min(Math.max(0, picture - box), Math.max(0, scroll))

/** Shows one point of the picture, as drawn, at one place of the box. */
const placePoint = (scale: number, point: Point, at: Point, { picture, box }: Frame): Placement => {
  const width = picture.width * scale
  const height = picture.height * scale
  return {
    scale,
    left: limitScroll(point.x * scale + marginOf(width, box.width) - at.x, width, box.width),
    top: limitScroll(point.y * scale + marginOf(height, box.height) - at.y, height, box.height),
  }
}

const middleOf = ({ width, height }: Size): Point => ({ x: width / 2, y: height / 2 })

/** The point of the picture, as drawn, at a place of the box. */
const pointAt = ({ scale, left, top }: Placement, at: Point, { picture, box }: Frame): Point => ({
  x: (left + at.x - marginOf(picture.width * scale, box.width)) / scale,
  y: (top + at.y - marginOf(picture.height * scale, box.height)) / scale,
})

/** The whole picture in the box. */
export const placeWhole = (frame: Frame): Placement =>
  placePoint(wholeScale(frame), middleOf(frame.picture), middleOf(frame.box), frame)

/** The middle of the area in the middle of the box. */
export const placeArea = (scale: number, { x, y, width, height }: Area, frame: Frame): Placement =>
  placePoint(limitScale(scale, frame), { x: x + width / 2, y: y + height / 2 }, middleOf(frame.box), frame)

/** Scrolls only where a part of the area cannot be seen. */
export const revealArea = (placement: Placement, area: Area, frame: Frame): Placement => {
  const { scale } = placement
  const from = pointAt(placement, { x: 0, y: 0 }, frame)
  const isSeen =
    from.x <= area.x &&
    from.y <= area.y &&
    area.x + area.width <= from.x + frame.box.width / scale &&
    area.y + area.height <= from.y + frame.box.height / scale
  return isSeen ? placement : placeArea(scale, area, frame)
}

/** Zooms around a place of the box; fingers that move meanwhile take the picture from there to `to`. */
export const zoomAt = (placement: Placement, scale: number, at: Point, frame: Frame, to: Point = at): Placement =>
  placePoint(limitScale(scale, frame), pointAt(placement, at, frame), to, frame)

/** Zooms around the middle of the box. */
export const zoomInMiddle = (placement: Placement, scale: number, frame: Frame): Placement =>
  zoomAt(placement, scale, middleOf(frame.box), frame)

const WHEEL_LINE_PX = 16
/** One notch of a wheel is about a hundred pixels. */
const WHEEL_PX_PER_E = 400

/** The factor of a turn of the wheel: as far forwards as backwards leads to the same scale again. */
export const wheelFactor = ({ deltaY, deltaMode }: Pick<WheelEvent, 'deltaY' | 'deltaMode'>): number => {
  const pixels = deltaMode === 0 ? deltaY : deltaY * WHEEL_LINE_PX
  return Math.exp(-Math.max(-WHEEL_PX_PER_E, Math.min(WHEEL_PX_PER_E, pixels)) / WHEEL_PX_PER_E)
}
