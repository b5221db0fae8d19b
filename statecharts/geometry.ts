/** Points, boxes and curves: what a picture needs to know to keep its parts apart. */

export interface Point {
  x: number
  y: number
}

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export const pointsOf = (path: string): readonly Point[] =>
  [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }))

export const boxAround = (points: readonly Point[]): Box => {
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

export const grow = ({ left, top, right, bottom }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
})

export const contains = ({ left, top, right, bottom }: Box, { x, y }: Point) =>
  left < x && x < right && top < y && y < bottom

export const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const bezier = (a: number, b: number, c: number, d: number, t: number) =>
  (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d

const STEPS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

/** Points along a curve of graphviz, which is a chain of cubic béziers. */
export const alongCurve = (path: string): readonly Point[] => {
  const points = pointsOf(path)
  return points.flatMap((a, index) => {
    const [b, c, d] = points.slice(index + 1, index + 4)
    if (index % 3 !== 0 || !b || !c || !d) return []
    return STEPS.map(t => ({ x: bezier(a.x, b.x, c.x, d.x, t), y: bezier(a.y, b.y, c.y, d.y, t) }))
  })
}

export const lengthOf = (points: readonly Point[]) =>
  points.reduce((sum, { x, y }, index) => {
    const before = points[index - 1]
    return before ? sum + Math.hypot(x - before.x, y - before.y) : 0
  }, 0)
