import { describe, expect, it } from 'vitest'
import { CHARTS as DRAWN } from '../../machines/charts.ts'
import { chartOf, edgesOf, statesOf } from '../../statecharts/chart.ts'
import { jsonOf } from '../../statecharts/json.ts'
import { CHARTS } from './generated.ts'

interface Written {
  path?: string
  description?: string
  tags?: readonly string[]
  ports?: readonly { port: string }[]
  edges?: readonly { event: string; target?: string; internal: boolean; rows?: readonly string[]; reason?: string }[]
  states?: readonly Written[]
}

const flat = (state: Written): readonly Written[] => [state, ...(state.states ?? []).flatMap(flat)]

describe.each(CHARTS)('json of %s', (machine, chart) => {
  const text = jsonOf(chart)
  const states = flat(JSON.parse(text) as Written)

  it('is the same text each time', () => {
    const { logic } = DRAWN[machine as keyof typeof DRAWN]
    expect(jsonOf(chartOf(machine, logic))).toBe(text)
  })

  it('has every state with its description, tags and ports, as declared', () => {
    expect(states.slice(1).map(({ path }) => path)).toEqual(statesOf(chart.root).map(({ path }) => path))
    const described = statesOf(chart.root).map(({ description }) => description)
    expect(states.slice(1).map(({ description = '' }) => description)).toEqual(described)
    expect(states.slice(1).map(({ tags = [] }) => tags)).toEqual(statesOf(chart.root).map(({ tags }) => tags))
    expect(states.slice(1).flatMap(({ ports = [] }) => ports)).toEqual(
      statesOf(chart.root).flatMap(({ ports }) => ports),
    )
  })

  it('has every edge, strays too, with the reason it is there', () => {
    const edges = states.flatMap(state => state.edges ?? [])
    expect(edges.map(({ event }) => event)).toEqual(edgesOf(chart).map(({ event }) => event))
    for (const { internal, target, rows, reason } of edges) {
      expect(internal).toBe(target === undefined)
      expect(rows ?? reason).toBeTruthy()
    }
  })
})
