/** `svc perf` for people. */
import type { Frames, Memory, StartupRun } from '../../../contracts/device/perf.ts'
import type { Startup } from '../perf/measure-startup.ts'
import { executionText } from './execution.ts'
import { type Fact, facts, lines, paragraph, table } from './layout.ts'
import type { Page } from './page.ts'
import { safe } from './visible.ts'

const UNKNOWN = '-'

const ms = (value: number | null): string => (value === null ? UNKNOWN : `${value} ms`)
const number = (value: number | null): string => (value === null ? UNKNOWN : String(value))
const kilobytes = (value: number | null): string => (value === null ? UNKNOWN : `${value} kB`)

type StartupOutput = Parameters<typeof executionText>[1] & { startup?: Startup }

export const startupText = (page: Page, output: StartupOutput): string => {
  const { startup } = output
  if (!startup) return executionText(page, output)
  const rows = startup.runs.map((run, index) => ({ ...run, run: String(index + 1) }))
  type Row = StartupRun & { run: string }
  return lines(
    page.paint('bold', safe`${startup.applicationId}`),
    table<Row>(
      page,
      [
        { title: 'run', cell: ({ run }) => run, align: 'right' },
        { title: 'kind', cell: ({ kind }) => kind ?? UNKNOWN },
        { title: 'total', cell: ({ totalMs }) => ms(totalMs), align: 'right' },
        { title: 'wait', cell: ({ waitMs }) => ms(waitMs), align: 'right' },
      ],
      rows,
    ),
    ...rows.flatMap(({ run, onTop }) =>
      onTop === undefined ? [] : [paragraph(page, safe`Run ${run} has no total: ${onTop} was on top.`)],
    ),
    `Median of the totals: ${ms(startup.medianMs)}`,
  )
}

const notRunning = (page: Page, { applicationId, running }: { applicationId: string; running: boolean }) =>
  running ? undefined : paragraph(page, safe`${applicationId} does not run.`)

export const framesText = (page: Page, { frames }: { frames: Frames }): string => {
  const { total, janky, p50, p90, p95, p99 } = frames
  const share = total === null || janky === null || total === 0 ? '' : ` (${((100 * janky) / total).toFixed(1)} %)`
  const rows: Fact[] = [
    ['Frames', number(total)],
    ['Janky', `${number(janky)}${share}`],
    ['50th percentile', ms(p50)],
    ['90th percentile', ms(p90)],
    ['95th percentile', ms(p95)],
    ['99th percentile', ms(p99)],
  ]
  return notRunning(page, frames) ?? lines(page.paint('bold', safe`${frames.applicationId}`), facts(page, rows, 2))
}

export const memoryText = (page: Page, { memory }: { memory: Memory }): string => {
  const rows: Fact[] = [
    ['Total (PSS)', kilobytes(memory.totalPss)],
    ['Java', kilobytes(memory.java)],
    ['Native', kilobytes(memory.native)],
    ['Graphics', kilobytes(memory.graphics)],
  ]
  return notRunning(page, memory) ?? lines(page.paint('bold', safe`${memory.applicationId}`), facts(page, rows, 2))
}
