import { describe, expect, it } from 'vitest'
import { ROWS } from '../../machines/rows.ts'
import { drawnEdges, edgesOf, shownStates } from '../../statecharts/chart.ts'
import { cssClass } from '../../statecharts/css-class.ts'
import { overlap } from '../../statecharts/geometry.ts'
import { SHOWN_WIDTH_PX } from '../../statecharts/layout.ts'
import { LEAST_TEXT_PX, NAME_PX, TEXT_PX } from '../../statecharts/text-size.ts'
import { textWidth } from '../../statecharts/text-width.ts'
import { CHARTS, generated } from './generated.ts'
import { allOf, classesOf, type Node, parseXml, textOf } from './xml.ts'

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
        const isName = classesOf(node).includes('name')
        const size = isName ? NAME_PX : TEXT_PX
        const width = textWidth(textOf(node), size, isName ? 'bold' : 'regular')
        const left = numberOf(node, 'x') + shiftX - (isName || classesOf(node).includes('alone') ? width / 2 : 0)
        const y = numberOf(node, 'y') + shiftY
        return { text: textOf(node), left, right: left + width, top: y - size * 0.75, bottom: y + size * 0.25 }
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

  it('has room for each text in the widest font', () => {
    for (const node of nodes.filter(({ name }) => name === 'text')) {
      const [size, weight] = classesOf(node).includes('name')
        ? ([NAME_PX, 'bold'] as const)
        : ([TEXT_PX, 'regular'] as const)
      expect(textWidth(textOf(node), size, weight), textOf(node)).toBeLessThanOrEqual(numberOf(node, 'data-room'))
    }
  })

  it('has colours for light and for dark pages', () => {
    expect(svg).toContain('prefers-color-scheme: dark')
  })
})
