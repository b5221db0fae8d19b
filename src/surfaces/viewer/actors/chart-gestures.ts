/** Wheel, mouse and fingers on the box of a statechart. Scrolling itself is left to the browser. */
import { type Placement, type Point, wheelFactor } from './chart-scale.ts'

export interface GestureTarget {
  placement(): Placement
  /** Scales the picture from where it was, and moves what lay at `from` to `to`. */
  zoomFrom(start: Placement, scale: number, from: Point, to: Point): void
}

/** A mouse that moves less than this has clicked. */
const DRAG_FROM_PX = 4

type OnScreen = Pick<MouseEvent, 'clientX' | 'clientY'>

const placeIn = (box: Element, { clientX, clientY }: OnScreen): Point => {
  const { left, top } = box.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

const onWheel =
  (box: HTMLElement, { placement, zoomFrom }: GestureTarget) =>
  (event: WheelEvent) => {
    // A pinch on a touchpad arrives as a wheel with Ctrl, too.
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const start = placement()
    const at = placeIn(box, event)
    zoomFrom(start, start.scale * wheelFactor(event), at, at)
  }

const dragging = (box: HTMLElement, { placement, zoomFrom }: GestureTarget) => {
  let drag: { id: number; from: Point; start: Placement; isMoving: boolean } | undefined
  return {
    begin(event: PointerEvent) {
      const from = placeIn(box, event)
      const isOnScrollbar = from.x > box.clientWidth || from.y > box.clientHeight
      if (event.pointerType === 'touch' || event.button !== 0 || isOnScrollbar) return
      drag = { id: event.pointerId, from, start: placement(), isMoving: false }
    },
    move(event: PointerEvent) {
      if (drag?.id !== event.pointerId) return
      const { from, start } = drag
      const to = placeIn(box, event)
      if (!drag.isMoving && distance(from, to) < DRAG_FROM_PX) return
      if (!drag.isMoving) box.setPointerCapture(event.pointerId)
      drag.isMoving = true
      box.classList.add('dragged')
      zoomFrom(start, start.scale, from, to)
    },
    end() {
      drag = undefined
      box.classList.remove('dragged')
    },
  }
}

/** One finger scrolls the box like any other; two zoom the picture and take it with them. */
const onTouch = (box: HTMLElement, { placement, zoomFrom }: GestureTarget) => {
  let pinch: { span: number; middle: Point; start: Placement } | undefined
  return (event: TouchEvent) => {
    const [first, second, third] = event.touches
    if (!first || !second || third) {
      pinch = undefined
      return
    }
    if (event.cancelable) event.preventDefault()
    const a = placeIn(box, first)
    const b = placeIn(box, second)
    const span = Math.max(1, distance(a, b))
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
    pinch ??= { span, middle, start: placement() }
    zoomFrom(pinch.start, (pinch.start.scale * span) / pinch.span, pinch.middle, middle)
  }
}

export const listenForGestures = (box: HTMLElement, target: GestureTarget, signal: AbortSignal): void => {
  const drag = dragging(box, target)
  const touch = onTouch(box, target)
  box.addEventListener('wheel', onWheel(box, target), { signal, passive: false })
  box.addEventListener('pointerdown', drag.begin, { signal })
  box.addEventListener('pointermove', drag.move, { signal })
  for (const type of ['pointerup', 'pointercancel'] as const) box.addEventListener(type, drag.end, { signal })
  for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const) {
    box.addEventListener(type, touch, { signal, passive: false })
  }
}
