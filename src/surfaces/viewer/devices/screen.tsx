/** A screen as it was recorded: the picture, or what the hierarchy says drawn as boxes; with the outline of a node over it. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Bounds, labelOf, type UiNode, type UiTree, walk } from '../../../contracts/device/ui-tree.ts'
import type { TraceScreen } from '../../../contracts/doors/viewer.ts'
import { DRAWN_NODES_MAX } from '../../../contracts/limits/limits.ts'
import { parseHierarchy } from '../../../device/screen/parse-hierarchy.ts'
import { drawingLimitNote } from '../limit-notes.ts'
import { usePicture } from './picture.ts'

export const treeOf = (xml: string | undefined): UiTree | undefined => {
  const parsed = xml === undefined ? undefined : parseHierarchy(xml)
  return parsed?.ok ? parsed.tree : undefined
}

export interface Size {
  width: number
  height: number
}

const FALLBACK: Size = { width: 1080, height: 1920 }

/** The screen is as large as what is on it. */
export const sizeOf = (tree: UiTree | undefined): Size => {
  let [width, height] = [0, 0]
  for (const { bounds } of tree?.roots ?? []) {
    width = Math.max(width, bounds.right)
    height = Math.max(height, bounds.bottom)
  }
  return width > 0 && height > 0 ? { width, height } : FALLBACK
}

const rectOf = ({ left, top, right, bottom }: Bounds) => ({
  x: left,
  y: top,
  width: Math.max(0, right - left),
  height: Math.max(0, bottom - top),
})

/** Text that fits into its box, as nearly as that can be told without a font. */
const LETTER = 0.56

const Label = ({ node }: { node: UiNode }) => {
  const text = labelOf(node)
  const { x, y, width, height } = rectOf(node.bounds)
  if (text === '' || width === 0 || height === 0) return null
  const size = Math.min(height * 0.6, 44)
  const letters = Math.max(1, Math.floor((width - 8) / (size * LETTER)))
  const label = text.length > letters ? `${text.slice(0, Math.max(1, letters - 1))}…` : text
  return (
    <text x={x + 4} y={y + height / 2 + size * 0.35} font-size={size} class={node.hint ? 'hint' : ''}>
      {label}
    </text>
  )
}

const boxClass = ({ clickable, scrollable, checked, enabled }: UiNode) =>
  ['box', clickable && 'clickable', scrollable && 'scrollable', checked && 'checked', !enabled && 'disabled']
    .filter(Boolean)
    .join(' ')

export const Wireframe = ({ tree }: { tree: UiTree }) => {
  const nodes = [...walk(tree.roots)].slice(0, DRAWN_NODES_MAX).map(({ node }) => node)
  return (
    <g class="wireframe">
      {nodes.map((node, index) => (
        <rect key={index} class={boxClass(node)} {...rectOf(node.bounds)} rx={6} />
      ))}
      {nodes.map((node, index) => (node.children.length === 0 ? <Label key={`t${index}`} node={node} /> : null))}
    </g>
  )
}

export interface ScreenProps {
  screen: TraceScreen
  tree: UiTree | undefined
  label: string
  outline?: Bounds | undefined
  onPoint?: (x: number, y: number) => void
  onPick?: () => void
  /** A thumbnail: without notes below it. */
  isSmall?: boolean
  /** Drawn over the screen, in its pixels. */
  over?: (size: Size) => preact.ComponentChildren
}

/** A picture may be of another density than the hierarchy: both are drawn over the same rectangle. */
export const Screen = ({ screen, tree, label, outline, onPoint, onPick, isSmall, over }: ScreenProps) => {
  const { src, problem } = usePicture(screen.picture)
  const [measured, measure] = useState<Size | undefined>(undefined)
  useEffect(() => {
    if (src === undefined || tree) return
    const image = new Image()
    image.onload = () => measure({ width: image.naturalWidth, height: image.naturalHeight })
    image.src = src
  }, [src, tree])
  const { width, height } = tree ? sizeOf(tree) : (measured ?? FALLBACK)
  const note = useMemo(() => (src === undefined && tree ? drawingLimitNote(tree) : undefined), [src, tree])
  const point = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    onPoint?.(((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height)
  }
  return (
    <figure class={`screen ${isSmall ? 'small' : ''}`}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={label}
        {...(onPoint ? { onPointerMove: point } : {})}
        {...(onPick ? { onClick: onPick } : {})}
      >
        <rect class="glass" x={0} y={0} width={width} height={height} />
        {src !== undefined && <image href={src} x={0} y={0} width={width} height={height} preserveAspectRatio="none" />}
        {src === undefined && tree && <Wireframe tree={tree} />}
        {outline && <rect class="outline" data-outline="" {...rectOf(outline)} />}
        {over?.({ width, height })}
      </svg>
      {!isSmall && note !== undefined && <figcaption class="muted">{note}</figcaption>}
      {!isSmall && problem !== undefined && <figcaption class="muted">{problem}</figcaption>}
    </figure>
  )
}
