/** The parts of the viewer in an HTML report of a test run: its page as it was built, and traces that hold their pictures. */
import type { TraceExecution } from '../../contracts/doors/viewer.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { loadAssets } from './assets.ts'
import { traceOne } from './trace.ts'
import { withPictureData } from './trace-html.ts'

/** Empty texts where the page was not built. */
export const loadReportPage = (viewerFolder: string | undefined): { script: string; style: string } => {
  const assets = viewerFolder === undefined ? undefined : loadAssets(viewerFolder)
  const textOf = (name: string) => assets?.get(name)?.content.toString() ?? ''
  return { script: textOf('report.js'), style: textOf('app.css') }
}

/** Undefined for an execution that the journal does not have. */
export const readReportTrace = async (journal: Journal, executionId: string): Promise<TraceExecution | undefined> => {
  const receipt = journal.receipt(executionId)
  if (!receipt) return undefined
  const { executions } = await withPictureData(journal, { executions: [traceOne(journal, receipt).execution] })
  return executions[0]
}
