/** The way of a success: every machine has one, and it is a way that the machine can go. */
import { describe, expect, test } from 'vitest'
import { CHARTS, type ChartName } from '../../machines/charts.ts'
import { chartOf, statesOf } from '../../statecharts/chart.ts'
import { cssClass } from '../../statecharts/css-class.ts'
import { WAYS, wayOf } from '../../statecharts/ways.ts'
import { generated } from './generated.ts'

/** Machines that go on rest there after a success; a session that has ended takes late events still. */
const RESTING: readonly string[] = [
  ...['idle', 'running', 'resting.running', 'saved', 'inside.serving', 'known.owned', 'ended.deleted'],
]

/** The classes of the arrows that a picture marks. */
const markedArrows = (machine: ChartName) =>
  [...generated(`${machine}.svg`).matchAll(/<g class="arrow way ([^"]*)"/g)].flatMap(([, names = '']) =>
    names.split(' '),
  )

describe.each(Object.keys(WAYS) as ChartName[])('%s', machine => {
  const chart = chartOf(machine, CHARTS[machine].logic)
  const way = wayOf(chart)
  const states = new Map(statesOf(chart.root).map(state => [state.path, state]))

  test('its way begins where the machine does, and ends where it rests or is over', () => {
    const begin = (path: string): string => {
      const initial = states.get(path)?.initial
      return initial === undefined ? path : begin(initial)
    }
    expect(way.states[0]).toBe(begin(chart.root.initial ?? ''))
    const end = way.states.at(-1) ?? ''
    expect(states.get(end)?.type === 'final' || RESTING.includes(end), end).toBe(true)
  })

  test('the event of each step joins two states on it, from one state around the first', () => {
    expect(way.states.filter(path => !states.has(path))).toEqual([])
    for (const [index, edges] of way.edges.entries()) {
      const sources = new Set(edges.map(({ source }) => source))
      expect(sources.size, `${way.states[index]} to ${way.states[index + 1]}`).toBe(1)
    }
  })

  test('the picture marks all states and arrows on it, and no others', () => {
    const marked = generated(`${machine}.svg`).match(/<g class="state[^"]* way /g)
    expect(marked).toHaveLength(new Set(way.states).size)
    const named = way.edges.flat().map(({ source, event, target }) => cssClass(machine, source, event, target))
    expect(named.filter(name => !markedArrows(machine).includes(name))).toEqual([])
    const arrows = generated(`${machine}.svg`).match(/<g class="arrow way /g)
    expect(arrows).toHaveLength(new Set(way.edges.flat().map(({ source, target }) => `${source} ${target}`)).size)
  })
})

test.each([
  ['device', 'running', 'port.failed', 'idle'],
  ['device', 'running', 'execution.interrupted', 'idle'],
  ['daemon', 'busy', 'daemon.stuck', 'running'],
  ['daemon', 'busy', 'daemon.stopped', 'busy.starting'],
  ['session', 'active.idle', 'idle.passed', 'closing'],
] as const)(
  '%s: the arrow from %s for %s joins two states of the way and is not on it',
  (machine, source, event, target) => {
    const name = cssClass(machine, source, event, target)
    expect(generated(`${machine}.svg`)).toContain(name)
    expect(markedArrows(machine)).not.toContain(name)
  },
)
