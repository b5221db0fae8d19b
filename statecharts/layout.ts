/** Chooses the drawing of a chart that is shown, among the possible ones. */
import type { Chart } from './chart.ts'
import { type Drawing, draw, type Shape } from './drawing.ts'
import { alongCurve, type Box, contains, grow, lengthOf } from './geometry.ts'
import { isWithin, type Manner } from './outline.ts'
import { LEAST_TEXT_PX, NAME_PX, TEXT_PX } from './text-size.ts'
import { textWidth } from './text-width.ts'

/** A chart is at most so wide that it can be read whole in a page of this width. */
export const SHOWN_WIDTH_PX = 1200
export const WIDEST_PX = (SHOWN_WIDTH_PX * TEXT_PX) / LEAST_TEXT_PX

const DIRECTIONS = ['top-down', 'left-right'] as const
const WRAPS = [14, 16, 18, 20, 22, 24, 27, 30, 36, 42]
const ORDERS = [0, 1, 2, 3, 4]

const MANNERS: readonly Manner[] = DIRECTIONS.flatMap(direction =>
  WRAPS.flatMap(wrap => ORDERS.map(order => ({ direction, wrap, order }))),
)

/** The costs of flaws, in pixels of arrow that an eye would rather follow. */
const CROSSED_BOX = 1500
const LINE_OF_TEXT = 80
const PIXEL_OF_EDGE = 4

/** A curve may enter the states that its arrow leaves or reaches, and no other. */
const isForeign = ({ part: box }: Shape, { part: curve }: Shape) => {
  if (box.kind === 'label' || box.kind === 'remark') return true
  if (box.kind !== 'state') return false
  if (curve.kind !== 'to-label' && curve.kind !== 'from-label') return box.state.states.length === 0
  const { from, to } = curve.arrow
  return !isWithin(from, box.state.path) && !isWithin(to, box.state.path)
}

/** The name of a state that has states inside stands where graphviz lets curves pass. */
const nameBoxes = ({ part, box, texts: [name] }: Shape): readonly Box[] => {
  if (part.kind !== 'state' || part.state.states.length === 0 || !name) return []
  const middle = (box.left + box.right) / 2
  const half = textWidth(part.state.name, NAME_PX, 'bold') / 2
  return [{ left: middle - half, right: middle + half, top: name.y - NAME_PX, bottom: name.y + NAME_PX / 2 }]
}

const costOf = ({ width, height, shapes }: Drawing) => {
  const curves = shapes.filter(({ head }) => head.length > 0).map(shape => ({ shape, points: alongCurve(shape.path) }))
  const names = shapes.flatMap(nameBoxes)
  const crossed = curves.flatMap(({ shape, points }) => {
    const foreign = shapes.filter(box => isForeign(box, shape)).map(({ box }) => grow(box, -2))
    return [...foreign, ...names].filter(box => points.some(point => contains(box, point)))
  })
  const ways = curves.reduce((sum, { points }) => sum + lengthOf(points), 0)
  const lines = shapes.reduce((sum, { texts }) => sum + texts.length, 0)
  // Whole numbers: the last digits of a sum of roots are not the same in every engine.
  return Math.round(crossed.length * CROSSED_BOX + ways + lines * LINE_OF_TEXT + (width + height) * PIXEL_OF_EDGE)
}

export const layout = async (chart: Chart): Promise<Drawing> => {
  const drawings = await Promise.all(MANNERS.map(manner => draw(chart, manner)))
  const [best] = drawings
    .map(drawing => ({ drawing, excess: Math.max(0, drawing.width - WIDEST_PX), cost: costOf(drawing) }))
    .sort((a, b) => a.excess - b.excess || a.cost - b.cost)
  if (!best) throw new Error(`${chart.machine}: nothing was drawn`)
  return best.drawing
}
