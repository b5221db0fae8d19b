import { describe, expect, it } from 'vitest'
import { ROWS } from '../../machines/rows.ts'
import { drawnEdges, edgesOf, shownStates } from '../../statecharts/chart.ts'
import { cssClass } from '../../statecharts/css-class.ts'
import { SHOWN_WIDTH_PX } from '../../statecharts/svg.ts'
import { LEAST_TEXT_PX, TEXT_PX } from '../../statecharts/text-size.ts'
import { CHARTS, generated } from './generated.ts'
import { allOf, classesOf, type Node, parseXml, textOf } from './xml.ts'

/** The widths of letters in monospaced fonts are at most this part of the size. */
const LETTER = 0.603

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const numberOf = (node: Node, name: string) => Number(node.attributes.get(name))

const titleOf = (node: Node) => textOf(node.children.find(({ name }) => name === 'title') ?? node)

describe.each(CHARTS)('picture of %s', (machine, chart) => {
  const svg = generated(`${machine}.svg`)
  const root = parseXml(svg)
  const nodes = allOf(root)
  const states = shownStates(chart)
  const drawn = drawnEdges(edgesOf(chart))
  const withClass = (name: string) => nodes.filter(node => classesOf(node).includes(name))

  it('has one element for each state, which says what the state is', () => {
    expect(withClass('state').length).toBe(states.length)
    for (const { path, description, inFlight, type } of states) {
      const [element, ...others] = withClass(cssClass(machine, path))
      expect(others).toEqual([])
      if (!element) throw new Error(`${path} is not in the picture`)
      expect(titleOf(element)).toContain(description)
      expect(classesOf(element).includes('in-flight')).toBe(inFlight)
      expect(element.children.some(child => classesOf(child).includes('inner'))).toBe(type === 'final')
    }
  })

  it('has each edge under its class, with the rows it cites or its reason on hover', () => {
    for (const { source, event, target, rows = [], reason } of drawn) {
      const elements = withClass(cssClass(machine, source, event, target))
      const leadsOn = (element: Node) => target === undefined && classesOf(element).some(name => name.includes('-to-'))
      const arrows = elements.filter(element => classesOf(element).includes('arrow') && !leadsOn(element))
      const texts = elements.filter(element => classesOf(element).includes('edge'))
      expect(arrows.length).toBe(target === undefined ? 0 : 1)
      expect(texts.length).toBeGreaterThan(0)
      for (const why of [...rows.map(row => ROWS[row]), ...(reason === undefined ? [] : [reason])]) {
        for (const group of [arrows, texts]) {
          if (group.length > 0) expect(group.map(titleOf).join('\n')).toContain(why)
        }
      }
    }
  })

  it('has no other edge, and so no stray', () => {
    const expected = new Set(
      drawn.flatMap(({ source, event, target }) => [
        cssClass(machine, source, event),
        cssClass(machine, source, event, target),
      ]),
    )
    const found = nodes.flatMap(classesOf).filter(name => name.startsWith('edge-'))
    expect([...new Set(found)].sort()).toEqual([...expected].sort())
  })

  it('is legible at 1200 pixels', () => {
    const sizes = [...svg.matchAll(/font-size: (\d+)px/g)].map(([, size]) => Number(size))
    const scale = Math.min(1, SHOWN_WIDTH_PX / numberOf(root, 'width'))
    expect(Math.min(...sizes) * scale).toBeGreaterThanOrEqual(LEAST_TEXT_PX)
  })

  it('keeps its texts apart and inside the picture', () => {
    const [shiftX = 0, shiftY = 0] = /translate\((\S+) (\S+)\)/.exec(svg)?.slice(1).map(Number) ?? []
    const boxes = nodes
      .filter(({ name }) => name === 'text')
      .map(node => {
        const left = numberOf(node, 'x') + shiftX
        const y = numberOf(node, 'y') + shiftY
        const right = left + [...textOf(node)].length * TEXT_PX * LETTER
        return { text: textOf(node), left, right, top: y - TEXT_PX * 0.75, bottom: y + TEXT_PX * 0.25 }
      })
    const clashes = boxes.flatMap((a, index) =>
      boxes.slice(index + 1).flatMap(b => (overlap(a, b) ? [`${a.text} | ${b.text}`] : [])),
    )
    expect(clashes).toEqual([])
    for (const { left, right, top, bottom } of boxes) {
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(0)
      expect(right).toBeLessThanOrEqual(numberOf(root, 'width'))
      expect(bottom).toBeLessThanOrEqual(numberOf(root, 'height'))
    }
  })

  it('has colours for light and for dark pages', () => {
    expect(svg).toContain('prefers-color-scheme: dark')
  })
})
