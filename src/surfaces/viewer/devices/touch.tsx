/** The touch of a step, drawn on the screen that it met: a finger, the way it went, or the node that was read. */

import { type Bounds, centreOf, type Point, type UiTree } from '../../../contracts/device/ui-tree.ts'
import type { TraceStep } from '../../../contracts/doors/viewer.ts'
import type { Matcher } from '../../../contracts/executions/matcher.ts'
import { scrollGesture } from '../../../device/screen/scroll-gesture.ts'
import { findFirst } from '../../../device/screen/search.ts'
import type { Size } from './screen.tsx'

export interface Touch {
  /** The node that was meant. */
  node?: Bounds
  from?: Point
  /** Where a finger that moved was lifted. */
  to?: Point
  isLong?: boolean
}

type Params = Readonly<Record<string, unknown>>

const pointIn = (value: unknown): Point | undefined => {
  const { x, y } = (value ?? {}) as Partial<Point>
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined
}

const boundsFor = (tree: UiTree | undefined, matcher: unknown): Bounds | undefined =>
  tree && typeof matcher === 'object' && matcher !== null ? findFirst(tree, matcher as Matcher)?.node.bounds : undefined

const TOUCHING = new Set(['click', 'enter_text'])

const DIRECTIONS = ['down', 'up', 'left', 'right'] as const
const RATIO = 0.5

const scrollTouch = (
  tree: UiTree | undefined,
  { direction = 'down', container, distanceRatio = RATIO }: Params,
): Touch => {
  const within = boundsFor(tree, container) ?? tree?.roots[0]?.bounds
  const known = DIRECTIONS.find(one => one === direction)
  if (!within || !known) return {}
  const { start, end } = scrollGesture(within, known, Number(distanceRatio) || RATIO)
  return { from: start, to: end }
}

/** Empty where neither the request nor the tree tells a place. */
export const touchOf = (
  { type, params, looks }: Pick<TraceStep, 'type' | 'params' | 'looks'>,
  tree: UiTree | undefined,
): Touch => {
  const fields = (params ?? {}) as Params
  if (TOUCHING.has(type)) {
    const node = boundsFor(tree, fields.matcher)
    const from = pointIn(fields.coordinate) ?? (node && centreOf(node))
    return { ...(node ? { node } : {}), ...(from ? { from } : {}), isLong: fields.clickType === 'long_click' }
  }
  if (type === 'swipe') {
    const [from, to] = [pointIn(fields.start), pointIn(fields.end)]
    return from && to ? { from, to } : {}
  }
  if (looks) {
    const node = boundsFor(tree, fields.matcher ?? fields.labelMatcher ?? fields.expectedNode)
    return node ? { node } : {}
  }
  return type.startsWith('scroll') ? scrollTouch(tree, fields) : {}
}

const FINGER = 0.035
const WAY = 0.012

const arrowHead = ({ x, y }: Point, from: Point, size: number): string => {
  const angle = Math.atan2(y - from.y, x - from.x)
  const corner = (turn: number) => `${x - size * Math.cos(angle + turn)},${y - size * Math.sin(angle + turn)}`
  return `${corner(0.5)} ${x},${y} ${corner(-0.5)}`
}

export const TouchMark = ({ touch: { node, from, to, isLong }, size }: { touch: Touch; size: Size }) => {
  const finger = size.width * FINGER
  const width = size.width * WAY
  return (
    <g class="touch" data-touch={from ? `${Math.round(from.x)},${Math.round(from.y)}` : undefined}>
      {node && (
        <rect
          class="touch-node"
          x={node.left}
          y={node.top}
          width={Math.max(0, node.right - node.left)}
          height={Math.max(0, node.bottom - node.top)}
          rx={8}
          stroke-width={width / 2}
        />
      )}
      {from && to && (
        <>
          <line class="touch-way" x1={from.x} y1={from.y} x2={to.x} y2={to.y} stroke-width={width} />
          <polyline class="touch-way" points={arrowHead(to, from, finger * 1.4)} fill="none" stroke-width={width} />
        </>
      )}
      {from && isLong && (
        <circle class="touch-ring" cx={from.x} cy={from.y} r={finger * 1.7} stroke-width={width / 2} />
      )}
      {from && <circle class="touch-finger" cx={from.x} cy={from.y} r={finger} stroke-width={width / 2} />}
    </g>
  )
}
