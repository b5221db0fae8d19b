/** The layout of a chart as graphviz decides it: where each box, curve and line of text goes. */
import { render } from 'state-machine-cat'
import type { Chart } from './chart.ts'
import { type Box, boxAround, type Point, pointsOf } from './geometry.ts'
import { LAYOUT_FONT, type Manner, outlineOf, type Part } from './outline.ts'

/** Inches between neighbours, and between ranks. */
const NODESEP = 0.1
const RANKSEP = 0.15

export interface Shape {
  part: Part
  box: Box
  /** The start of each line of text; a state has its name first. */
  texts: readonly Point[]
  /** The curve of an arrow; a rounded border otherwise. */
  path: string
  /** The corners of an arrow head; the second is its tip. */
  head: readonly Point[]
}

export interface Drawing {
  width: number
  height: number
  /** The offset that moves the coordinates of the shapes into the picture. */
  shift: Point
  shapes: readonly Shape[]
}

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...groups]) => groups)

const pointOf = ([x, y]: readonly (string | undefined)[]): Point => ({ x: Number(x), y: Number(y) })

const shapeOf = (part: Part, svg: string): Shape => {
  const path = all(svg, / d="([^"]+)"/g).at(-1)?.[0] ?? ''
  const dots = all(svg, /cx="([^"]+)" cy="([^"]+)"/g).map(pointOf)
  const heads = all(svg, /<polygon [^>]*points="([^"]+)"/g)
  return {
    part,
    box: boxAround(part.kind === 'dot' ? dots : pointsOf(path)),
    texts: all(svg, /<text [^>]*? x="([^"]+)" y="([^"]+)"/g).map(pointOf),
    path,
    head: pointsOf(heads[0]?.[0] ?? ''),
  }
}

const attribute = (name: string, value: number) => ({ name, value: String(value) })

export const draw = async (chart: Chart, manner: Manner): Promise<Drawing> => {
  const { machine, parts } = outlineOf(chart, manner)
  const svg = await render(machine, {
    inputType: 'json',
    // Unlike 'svg' never a graphviz that happens to be installed: the same bytes everywhere.
    outputType: 'oldsvg',
    direction: manner.direction,
    dotGraphAttrs: [attribute('nodesep', NODESEP), attribute('ranksep', RANKSEP), attribute('fontsize', LAYOUT_FONT)],
    dotNodeAttrs: [attribute('fontsize', LAYOUT_FONT), attribute('width', 0), attribute('height', 0)],
    // An edge that has no label is still given a blank one.
    dotEdgeAttrs: [attribute('fontsize', 1)],
  })
  const [size = []] = all(svg, /viewBox="\S+ \S+ (\S+) (\S+)"/g)
  const [shift = []] = all(svg, /translate\((\S+) (\S+)\)/g)
  const shapes = all(svg, /<g id="[^"]*" class="[^"]* key_(\d+)">\n([\s\S]*?)<\/g>/g).flatMap(([index, body]) => {
    const part = parts[Number(index)]
    return part ? [shapeOf(part, body ?? '')] : []
  })
  if (shapes.length !== parts.length) throw new Error(`${chart.machine}: the drawing lacks shapes`)
  const { x: width, y: height } = pointOf(size)
  return { width, height, shift: pointOf(shift), shapes }
}
