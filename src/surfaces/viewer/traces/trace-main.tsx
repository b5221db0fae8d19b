/** The page of an exported trace: everything it shows is in the file. */
import { render } from 'preact'
import type { Trace } from '../../../contracts/doors/viewer.ts'
import { provideChart } from '../actors/chart-view.tsx'
import { TraceView } from './trace-view.tsx'

const data = document.getElementById('trace')?.textContent
const root = document.getElementById('root')

if (data && root) {
  const { trace, chart } = JSON.parse(data) as { trace: Trace; chart: string }
  provideChart(trace.machine, chart)
  document.documentElement.dataset.seq = String(trace.records.at(-1)?.seq ?? 0)
  render(
    <div class="exported">
      <TraceView trace={trace} isLinked={false} />
    </div>,
    root,
  )
}
