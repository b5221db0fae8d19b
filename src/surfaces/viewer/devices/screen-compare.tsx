/** Two screens of a trace against each other: side by side, one over the other with a slider, or the lines that differ. */
import { useId, useMemo, useState } from 'preact/hooks'
import { type DifferenceLine, lineDifference, linesOf } from '../traces/line-difference.ts'
import { FrameScreen, frameName, useTree } from './frame-screen.tsx'
import type { Frame, StepView } from './frames.ts'
import { usePicture } from './picture.ts'
import { sizeOf, Wireframe } from './screen.tsx'
import { TouchMark, touchOf } from './touch.tsx'

export interface CompareProps {
  before: Frame
  after: Frame
  /** The step whose touch is drawn on the screen before it. */
  touching: StepView | undefined
  views: readonly StepView[]
}

export const TouchedScreen = ({
  frame,
  label,
  touching,
}: {
  frame: Frame
  label: string
  touching: StepView | undefined
}) => (
  <FrameScreen
    frame={frame}
    label={label}
    {...(touching ? { over: (size, tree) => <TouchMark touch={touchOf(touching.step, tree)} size={size} /> } : {})}
  />
)

export const SideBySide = ({ before, after, touching, views }: CompareProps) => (
  <div class="pair">
    <div class="pair-half">
      <p class="pair-name">
        <b>Before</b> <span class="muted">{frameName(before, views)}</span>
      </p>
      <TouchedScreen frame={before} label={`Before: ${frameName(before, views)}`} touching={touching} />
    </div>
    <div class="pair-half">
      <p class="pair-name">
        <b>After</b> <span class="muted">{frameName(after, views)}</span>
      </p>
      <FrameScreen frame={after} label={`After: ${frameName(after, views)}`} />
    </div>
  </div>
)

/** The picture of a frame, or its drawing, over a given area. */
const Layer = ({ frame, width, height }: { frame: Frame; width: number; height: number }) => {
  const tree = useTree(frame)
  const { src } = usePicture(frame.screen.picture)
  const treeSize = sizeOf(tree)
  if (src !== undefined)
    return <image href={src} x={0} y={0} width={width} height={height} preserveAspectRatio="none" />
  return tree ? (
    <g transform={`scale(${width / treeSize.width} ${height / treeSize.height})`}>
      <rect class="glass" x={0} y={0} width={treeSize.width} height={treeSize.height} />
      <Wireframe tree={tree} />
    </g>
  ) : null
}

const WHOLE = 100

export const canSlide = ({ screen }: Frame): boolean => screen.xml !== undefined || screen.picture !== undefined

export const SlideOver = ({ before, after, views }: CompareProps) => {
  const [share, setShare] = useState(WHOLE / 2)
  const clip = useId()
  const trees = [useTree(before), useTree(after)]
  const { width, height } = sizeOf(trees[0] ?? trees[1])
  const edge = (width * share) / WHOLE
  return (
    <div class="slide-over">
      <figure class="screen">
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label="Both screens, before on the left of the line and after on the right"
        >
          <clipPath id={clip}>
            <rect x={0} y={0} width={edge} height={height} />
          </clipPath>
          <Layer frame={after} width={width} height={height} />
          <g clip-path={`url(#${clip})`}>
            <Layer frame={before} width={width} height={height} />
          </g>
          <line class="slide-edge" x1={edge} y1={0} x2={edge} y2={height} stroke-width={width / 150} />
        </svg>
      </figure>
      <label class="slide-control">
        <span>Before</span>
        <input
          type="range"
          aria-label="How much of the screen before is shown"
          min={0}
          max={WHOLE}
          value={share}
          onInput={({ currentTarget }) => setShare(Number(currentTarget.value))}
        />
        <span>After</span>
      </label>
      <p class="muted">
        {frameName(before, views)}, {frameName(after, views)}
      </p>
    </div>
  )
}

const SIGNS: Readonly<Record<DifferenceLine['kind'], string>> = { same: ' ', added: '+', removed: '−' }
const SPOKEN: Readonly<Record<DifferenceLine['kind'], string>> = { same: '', added: 'added: ', removed: 'removed: ' }

export const LineDifference = ({ before, after }: CompareProps) => {
  const [showsAll, setAll] = useState(false)
  const found = useMemo(() => {
    const [was, is] = [linesOf(before), linesOf(after)]
    return was && is ? lineDifference(was, is) : undefined
  }, [before, after])
  if (!found) {
    return (
      <p class="empty muted">
        Lines need a snapshot on both sides, and one of these screens is a picture alone. Add a snapshot step beside the
        screenshot.
      </p>
    )
  }
  const changed = found.filter(({ kind }) => kind !== 'same')
  const shownLines = showsAll ? found : changed
  return (
    <div class="line-difference">
      <p class="difference-head">
        <span class="added-count">+{changed.filter(({ kind }) => kind === 'added').length}</span>{' '}
        <span class="removed-count">−{changed.filter(({ kind }) => kind === 'removed').length}</span>{' '}
        <span class="muted">of {found.length} lines</span>
        <label class="switch">
          <input type="checkbox" checked={showsAll} onChange={({ currentTarget }) => setAll(currentTarget.checked)} />
          Equal lines too
        </label>
      </p>
      {changed.length === 0 && <p class="muted">Nothing that a compact snapshot shows has changed.</p>}
      <ol class="difference-lines mono">
        {shownLines.map(({ kind, text }, index) => (
          <li key={index} class={kind}>
            <span aria-hidden="true">{SIGNS[kind]}</span>
            <span class="heard">{SPOKEN[kind]}</span>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
