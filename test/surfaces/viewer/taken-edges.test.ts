/** The edges that a record lights: found by their classes alone, as the pictures have them. */
import { describe, expect, test } from 'vitest'
import { takenEdges } from '../../../src/surfaces/viewer/actors/chart.ts'
import { cssClass } from '../../../statecharts/css-class.ts'
import { generated } from '../../statecharts/generated.ts'
import { allOf, classesOf, parseXml } from '../../statecharts/xml.ts'

/** As much of an element as is asked. */
const chartOf = (parts: readonly (readonly string[])[]) => {
  const elements = parts.map(classList => ({ classList }))
  const getElementsByClassName = (name: string) => elements.filter(({ classList }) => classList.includes(name))
  return { getElementsByClassName } as unknown as Element
}

const picture = (machine: string) => chartOf(allOf(parseXml(generated(`${machine}.svg`))).map(classesOf))

const litIn = (chart: Element, machine: string, event: string, from: string, to: string) =>
  takenEdges(chart, { machine, state: to, last: { event, from } }).map(({ classList }) => [...classList])

const lit = (event: string, from: string, to: string) => litIn(picture('device'), 'device', event, from, to)

describe('a record of a device', () => {
  test.each(['idle', 'running.accepted', 'running.draining'])('lights an edge of the root that stays in %s', state => {
    const rows = lit('execution.queued', state, state)
    expect(rows.length).toBe(3)
    for (const classes of rows) expect(classes).toEqual(['edge', cssClass('device', '', 'execution.queued')])
  })

  test('lights the arrow to where it led, and the row in the box when it stayed', () => {
    const arrow = cssClass('device', 'idle', 'execution.requested', 'running')
    const led = lit('execution.requested', 'idle', 'running.accepted')
    expect(led.length).toBeGreaterThan(0)
    for (const classes of led) expect(classes).toContain(arrow)
    const stayed = lit('execution.requested', 'idle', 'idle')
    expect(stayed.length).toBeGreaterThan(0)
    for (const classes of stayed) expect(classes).not.toContain(arrow)
  })

  test('lights nothing for an event that has no edge in the picture', () => {
    expect(lit('deadline.passed', 'idle', 'idle')).toEqual([])
  })
})

test('an edge that stays is not taken by a record that led elsewhere: the state around has another one', () => {
  const inner = ['edge', cssClass('m', 'outer.inner', 'done')]
  const outer = ['arrow', cssClass('m', 'outer', 'done'), cssClass('m', 'outer', 'done', 'end')]
  const chart = chartOf([inner, outer])
  expect(litIn(chart, 'm', 'done', 'outer.inner', 'end')).toEqual([outer])
  expect(litIn(chart, 'm', 'done', 'outer.inner', 'outer.inner')).toEqual([inner])
})
