/** What the tests of the statecharts share: the charts of all machines, and the files that are checked in. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CHARTS as DRAWN } from '../../machines/charts.ts'
import { type Chart, chartOf } from '../../statecharts/chart.ts'

export const FOLDER = fileURLToPath(new URL('../../statecharts/', import.meta.url))

export const CHARTS: readonly (readonly [string, Chart])[] = Object.entries(DRAWN).map(
  ([machine, { logic }]) => [machine, chartOf(machine, logic)] as const,
)

export const generated = (file: string) => readFileSync(`${FOLDER}${file}`, 'utf8')
