/** Every generated file by its name, from the machines alone: the same machines give the same bytes. */
import type { AnyStateMachine } from 'xstate'
import { chartOf } from './chart.ts'
import { galleryOf } from './gallery.ts'
import { jsonOf } from './json.ts'
import { mermaidOf } from './mermaid.ts'
import { svgOf } from './svg.ts'

export type Outputs = ReadonlyMap<string, string>

export type Machines = Readonly<Record<string, { logic: AnyStateMachine }>>

export const outputsOf = async (machines: Machines): Promise<Outputs> => {
  const charts = Object.entries(machines).map(([machine, { logic }]) => chartOf(machine, logic))
  const exhibits = await Promise.all(charts.map(async chart => ({ chart, svg: await svgOf(chart) })))
  const files = exhibits.flatMap(({ chart, svg }): [string, string][] => [
    [`${chart.machine}.mmd`, mermaidOf(chart)],
    [`${chart.machine}.svg`, svg],
    [`${chart.machine}.json`, jsonOf(chart)],
  ])
  return new Map([...files, ['index.html', galleryOf(exhibits)]])
}
