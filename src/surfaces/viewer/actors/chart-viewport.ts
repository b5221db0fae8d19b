/** The box of a statechart: decides which part of the picture it shows, and how large, until the person does. */
import { listenForGestures } from './chart-gestures.ts'
import {
  type Area,
  type Frame,
  openingScale,
  type Placement,
  placeArea,
  placeWhole,
  READABLE_SCALE,
  revealArea,
  zoomAt,
  zoomInMiddle,
} from './chart-scale.ts'

/** `opened` and `active` follow the active state; `opened` also chooses the scale. `person`: nothing moves by itself. */
type Mode = 'opened' | 'active' | 'whole' | 'person'

export interface View {
  scale: number
  isWhole: boolean
  isFollowing: boolean
}

export interface Viewport {
  zoomBy(factor: number): void
  showWhole(): void
  goToActive(): void
  /** Brings the active state into sight unless the person has moved the picture. */
  follow(): void
  /** Call it when the box may have another size. */
  resize(): void
  close(): void
}

export interface ViewportOptions {
  box: HTMLElement
  chart: SVGSVGElement
  activeState(): Element | undefined
  onChange(view: View): void
}

export const openViewport = ({ box, chart, activeState, onChange }: ViewportOptions): Viewport => {
  const closing = new AbortController()
  const { width, height } = chart.viewBox.baseVal
  const picture = { width, height }
  let mode: Mode = 'opened'
  let placed: Placement = { scale: 1, left: 0, top: 0 }
  let size = { width: 0, height: 0 }

  const outerSize = () => ({ width: box.offsetWidth, height: box.offsetHeight })
  /** A picture that fits has no scrollbars. */
  const frameOfWhole = (): Frame => ({ picture, box: outerSize() })
  const frame = (): Frame => ({ picture, box: { width: box.clientWidth, height: box.clientHeight } })
  const placement = (): Placement => ({ ...placed, left: box.scrollLeft, top: box.scrollTop })
  const isFollowing = () => mode === 'opened' || mode === 'active'

  const scaleTo = (scale: number) => {
    chart.setAttribute('width', (width * scale).toFixed(2))
    chart.setAttribute('height', (height * scale).toFixed(2))
  }
  /** Keeps what the box shows now. */
  const note = (by: Mode, scale: number) => {
    mode = by
    placed = { scale, left: box.scrollLeft, top: box.scrollTop }
    onChange({ scale, isWhole: mode === 'whole', isFollowing: isFollowing() })
  }
  const place = (by: Mode, { scale, left, top }: Placement) => {
    scaleTo(scale)
    box.scrollTo({ left, top, behavior: 'instant' })
    note(by, scale)
  }

  const activeArea = (): Area | undefined => {
    const inner = activeState()?.getBoundingClientRect()
    const outer = chart.getBoundingClientRect()
    const { scale } = placed
    return (
      inner && {
        x: (inner.left - outer.left) / scale,
        y: (inner.top - outer.top) / scale,
        width: inner.width / scale,
        height: inner.height / scale,
      }
    )
  }
  const centreActive = (by: Mode, scale: number) => {
    const area = activeArea() ?? { x: 0, y: 0, ...picture }
    // Scrollbars come and go with the scale, and the middle with them.
    scaleTo(scale)
    place(by, placeArea(scale, area, frame()))
  }
  const open = () => centreActive('opened', openingScale(frameOfWhole()))
  const showWhole = () => place('whole', placeWhole(frameOfWhole()))

  /** Scrolling is told only with the next frame. */
  const noteScroll = () => {
    const now = outerSize()
    // A box that has become larger scrolls by itself.
    if (now.width !== size.width || now.height !== size.height) return
    const { scale, left, top } = placed
    const isMoved = Math.abs(box.scrollLeft - left) > 1 || Math.abs(box.scrollTop - top) > 1
    if (isMoved) note('person', scale)
  }

  size = outerSize()
  open()
  box.addEventListener('scroll', noteScroll, { signal: closing.signal })
  const zoomFrom = (start: Placement, scale: number, from: { x: number; y: number }, to = from) =>
    place('person', zoomAt(start, scale, from, frame(), to))
  listenForGestures(box, { placement, zoomFrom }, closing.signal)

  return {
    zoomBy: factor => place('person', zoomInMiddle(placement(), placed.scale * factor, frame())),
    showWhole,
    goToActive: () => centreActive('active', Math.max(READABLE_SCALE, placed.scale)),
    follow() {
      noteScroll()
      const area = isFollowing() ? activeArea() : undefined
      if (area) place(mode, revealArea(placement(), area, frame()))
    },
    resize() {
      const before = size
      size = outerSize()
      if (size.width === 0 || (before.width === size.width && before.height === size.height)) return
      if (mode === 'opened' || before.width === 0) open()
      else if (mode === 'whole') showWhole()
      else if (mode === 'active') centreActive(mode, placed.scale)
      else place(mode, placement())
    },
    close: () => closing.abort(),
  }
}
