/** The way of a success: every machine has one, and it is a way that the machine can go. */
import { describe, expect, test } from 'vitest'
import { CHARTS, type ChartName } from '../../machines/charts.ts'
import { chartOf, drawnEdges, edgesOf, statesOf } from '../../statecharts/chart.ts'
import { isOnWay, isStep, WAYS } from '../../statecharts/ways.ts'
import { generated } from './generated.ts'

/** Machines that go on rest there after a success; a session that has ended takes late events still. */
const RESTING: readonly string[] = [
  ...['idle', 'running', 'resting.running', 'saved', 'inside.serving', 'known.owned', 'ended.deleted'],
]

describe.each(Object.keys(WAYS) as ChartName[])('%s', machine => {
  const chart = chartOf(machine, CHARTS[machine].logic)
  const way = WAYS[machine]
  const states = new Map(statesOf(chart.root).map(state => [state.path, state]))

  test('its way begins where the machine does, and ends where it rests or is over', () => {
    const begin = (path: string): string => {
      const initial = states.get(path)?.initial
      return initial === undefined ? path : begin(initial)
    }
    expect(way[0]).toBe(begin(chart.root.initial ?? ''))
    const end = way.at(-1) ?? ''
    expect(states.get(end)?.type === 'final' || RESTING.includes(end), end).toBe(true)
  })

  test('an edge joins each two states on it, and the picture marks them all', () => {
    const edges = drawnEdges(edgesOf(chart))
    for (const [index, to] of way.entries()) {
      expect(states.has(to), to).toBe(true)
      const from = way[index - 1]
      if (from !== undefined)
        expect(
          edges.some(edge => isStep(chart.root, edge, from, to)),
          `${from} to ${to}`,
        ).toBe(true)
    }
    const svg = generated(`${machine}.svg`)
    expect(svg.match(/<g class="state[^"]* way /g)).toHaveLength(new Set(way).size)
    expect(svg.match(/<g class="arrow way /g)?.length).toBeGreaterThan(0)
    expect(edges.some(edge => !isOnWay(chart.root, edge, way))).toBe(true)
  })
})
