import { describe, expect, it } from 'vitest'
import { edgesOf, statesOf } from '../../statecharts/chart.ts'
import { cssClass } from '../../statecharts/css-class.ts'
import { CHARTS } from './generated.ts'

const twice = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)

describe('css classes', () => {
  it('names states and edges after machine, path, event and target', () => {
    expect(cssClass('device', 'running.dispatched')).toBe('state-device-running-dispatched')
    expect(cssClass('device', 'running', 'port.failed')).toBe('edge-device-running-on-port-failed')
    expect(cssClass('device', 'running', 'port.failed', 'idle')).toBe('edge-device-running-on-port-failed-to-idle')
    expect(cssClass('device', '', 'port.failed')).toBe('edge-device-on-port-failed')
  })

  it('tells all states of all machines apart', () => {
    const names = CHARTS.flatMap(([machine, { root }]) => statesOf(root).map(({ path }) => cssClass(machine, path)))
    expect(names.length).toBeGreaterThan(30)
    expect(twice(names)).toEqual([])
  })

  it('tells all edges apart by source, event and target', () => {
    const edges = CHARTS.flatMap(([machine, chart]) =>
      edgesOf(chart).map(({ source, event, target }) => ({ machine, source, event, target })),
    )
    const distinct = [...new Set(edges.map(edge => JSON.stringify(edge)))].map(text => JSON.parse(text))
    const names = distinct.map(({ machine, source, event, target }) => cssClass(machine, source, event, target))
    expect(twice(names)).toEqual([])
  })

  it('needs no escaping in a selector', () => {
    for (const [machine, chart] of CHARTS) {
      for (const { source, event, target } of edgesOf(chart)) {
        expect(cssClass(machine, source)).toMatch(/^[a-z][\w-]*$/)
        expect(cssClass(machine, source, event, target)).toMatch(/^[a-z][\w-]*$/)
      }
    }
  })
})
