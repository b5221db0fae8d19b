import { describe, expect, it } from 'vitest'
import { ROWS } from '../../machines/rows.ts'
import { drawnEdges, edgesOf } from '../../statecharts/chart.ts'
import { escapeXml } from '../../statecharts/markup.ts'
import { CHARTS, generated } from './generated.ts'

describe('the gallery', () => {
  const page = generated('index.html')
  const sections = page.split('<section').slice(1)

  it('needs nothing from the network', () => {
    const addresses = [...page.matchAll(/(?:https?:)?\/\/[\w.-]+\.[a-z]+[^"' ]*/g)].map(([address]) => address)
    expect([...new Set(addresses)]).toEqual(['http://www.w3.org/2000/svg'])
    const links = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link)
    for (const link of links) expect(link).toMatch(/^(#[\w-]+|[\w-]+\.(svg|mmd|json))$/)
  })

  it('has a section for each machine, in the order of the catalogue', () => {
    expect(sections.map(section => /id="([\w-]+)"/.exec(section)?.[1])).toEqual(CHARTS.map(([machine]) => machine))
  })

  it.each(CHARTS)('shows %s: its picture, the rows it carries, its edges', (machine, chart) => {
    const section = sections.find(text => text.includes(`id="${machine}"`)) ?? ''
    expect(section).toContain(generated(`${machine}.svg`))
    const edges = edgesOf(chart)
    for (const row of new Set(edges.flatMap(({ rows = [] }) => rows))) {
      expect(section).toContain(`<dt>${row}</dt>`)
      expect(section).toContain(escapeXml(ROWS[row]))
    }
    const [shown = '', late = ''] = section.split('<details>')
    expect(shown.split('<tr').length - 2).toBe(drawnEdges(edges).length)
    expect(late === '' ? 0 : late.split('<tr').length - 2).toBe(edges.length - drawnEdges(edges).length)
  })

  it('lights up only what its pictures have', () => {
    for (const section of sections) {
      const names = [...section.matchAll(/data-lights="([^"]*)"/g)].flatMap(([, value = '']) => value.split(' '))
      expect(names.length).toBeGreaterThan(0)
      const classes = new Set([...section.matchAll(/class="([^"]*)"/g)].flatMap(([, value = '']) => value.split(' ')))
      expect(names.filter(name => !classes.has(name))).toEqual([])
    }
  })
})
