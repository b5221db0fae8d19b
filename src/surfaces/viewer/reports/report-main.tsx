/** The page of a test report: everything it shows is in the file. */
import { render } from 'preact'
import { readReport } from './report-files.tsx'
import { ReportView } from './report-view.tsx'

const report = readReport()
const root = document.getElementById('root')

if (report && root) {
  root.replaceChildren()
  render(
    <div class="exported">
      <ReportView report={report} />
    </div>,
    root,
  )
}
