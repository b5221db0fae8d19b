import { describe, expect, it } from 'vitest'
import { drawnEdges, edgesOf, isRootShown, shownStates, statesOf } from '../../statecharts/chart.ts'
import { mermaidOf } from '../../statecharts/mermaid.ts'
import { edgeText } from '../../statecharts/notation.ts'
import { CHARTS } from './generated.ts'

describe.each(CHARTS)('mermaid of %s', (machine, chart) => {
  const text = mermaidOf(chart)
  const shown = text.split('\n').map(line => line.trim())
  const id = (path: string) => (path === '' ? machine : path).replaceAll('.', '__').replaceAll('-', '_')

  it('has one line for each edge of the picture', () => {
    const expected = drawnEdges(edgesOf(chart)).map(edge => {
      const inside = shownStates(chart).find(({ path }) => path === edge.source)?.states ?? []
      const arrow = edge.target === undefined && inside.length === 0 ? '' : ` --> ${id(edge.target ?? edge.source)}`
      return `${id(edge.source)}${arrow} : ${edgeText(edge)}`
    })
    for (const line of expected) expect(shown).toContain(line)
    const lines = shown.filter(line => / : /.test(line) && !/ : (do|entry|exit) \/ /.test(line))
    expect([...lines].sort()).toEqual([...expected].sort())
  })

  it('declares each state once, where it is nested', () => {
    const around = isRootShown(chart) ? 1 : 0
    for (const { path, name } of shownStates(chart)) {
      const depth = path === '' ? 1 : path.split('.').length + around
      const declared = text.split('\n').filter(line => line.includes(`state "${name}" as ${id(path)}`))
      expect(declared.map(line => line.search(/\S/))).toEqual(
        declared.length === 1 ? [depth * 2] : 'declared more than once',
      )
    }
  })

  it('starts and ends where the machine does', () => {
    expect(shown).toContain(`[*] --> ${id(chart.root.initial ?? '')}`)
    for (const { type, path } of statesOf(chart.root)) {
      expect(shown.includes(`${id(path)} --> [*]`)).toBe(type === 'final')
    }
  })

  it('closes every brace', () => {
    expect(shown.filter(line => line.endsWith('{')).length).toBe(shown.filter(line => line === '}').length)
  })
})
