/** A point of an area that none of some rectangles holds. */
import { PIECE, type Sliced } from '../../runtime/slices.ts'
import { centreOf, contains, hasArea, intersection } from './bounds.ts'
import type { Bounds, Point } from './ui-tree.ts'

/** More covers than this are not searched for gaps between them; a point is still checked against all. */
const GAPS_OF_MAX = 200
/** The area is divided into so many columns, and so many rows, of cells. */
const CELLS = 32

const width = ({ left, right }: Bounds) => right - left
const height = ({ top, bottom }: Bounds) => bottom - top

/** The rectangles that each cell of the area has to do with; undefined where one of them holds all of it. */
const cellsOf = function* (area: Bounds, covers: readonly Bounds[]) {
  const size = { x: Math.ceil(width(area) / CELLS), y: Math.ceil(height(area) / CELLS) }
  const cells = Array.from({ length: CELLS * CELLS }, (): Bounds[] | undefined => [])
  const spanOf = (from: number, to: number, start: number, step: number) => ({
    first: Math.floor((from - start) / step),
    last: Math.min(CELLS - 1, Math.floor((to - 1 - start) / step)),
  })
  for (const [index, cover] of covers.entries()) {
    if (index % PIECE === 0) yield
    const across = spanOf(cover.left, cover.right, area.left, size.x)
    const down = spanOf(cover.top, cover.bottom, area.top, size.y)
    for (let y = down.first; y <= down.last; y++) {
      const top = area.top + y * size.y
      const isWholeRow = cover.top <= top && cover.bottom >= Math.min(area.bottom, top + size.y)
      for (let x = across.first; x <= across.last; x++) {
        const cell = cells[y * CELLS + x]
        if (!cell) continue
        const left = area.left + x * size.x
        const isWhole = isWholeRow && cover.left <= left && cover.right >= Math.min(area.right, left + size.x)
        if (isWhole) cells[y * CELLS + x] = undefined
        else cell.push(cover)
      }
    }
  }
  return ({ x, y }: Point): boolean => {
    const at = Math.floor((y - area.top) / size.y) * CELLS + Math.floor((x - area.left) / size.x)
    return cells[at]?.every(cover => !contains(cover, { x, y })) ?? false
  }
}

/** The centre if it is free, else the middle of the widest gap between the covers. */
export const freePoint = function* (area: Bounds, covers: readonly Bounds[]): Sliced<Point | undefined> {
  const inArea = covers.flatMap(cover => intersection(cover, area) ?? [])
  const centre = centreOf(area)
  if (!inArea.some(cover => contains(cover, centre))) return centre
  const isFree = yield* cellsOf(area, inArea)
  const cut = inArea.slice(0, GAPS_OF_MAX)
  const edges = [...new Set([area.left, area.right, ...cut.flatMap(({ left, right }) => [left, right])])].sort(
    (a, b) => a - b,
  )
  let widest: Bounds | undefined
  const offer = (gap: Bounds) => {
    const size = (bounds: Bounds) => Math.min(width(bounds), height(bounds))
    if (hasArea(gap) && (!widest || size(gap) > size(widest)) && isFree(centreOf(gap))) widest = gap
  }
  for (const [index, left] of edges.entries()) {
    yield
    const right = edges[index + 1]
    if (right === undefined) break
    const column = cut.filter(bounds => bounds.left < right && bounds.right > left).sort((a, b) => a.top - b.top)
    let top = area.top
    for (const bounds of column) {
      offer({ left, top, right, bottom: Math.min(bounds.top, area.bottom) })
      top = Math.max(top, bounds.bottom)
    }
    offer({ left, top, right, bottom: area.bottom })
  }
  return widest && centreOf(widest)
}
