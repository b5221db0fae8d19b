/** Gives reports the page of the viewer, and the traces of executions. */
import type { ReportDeps } from '../../../service/flows/reports/write-reports.ts'
import { viewerFolder } from '../../../service/traces/assets.ts'
import { loadReportPage, readReportTrace } from '../../../service/traces/report-parts.ts'
import type { CommandParts } from '../../command-parts.ts'
import type { CommandContext } from '../command.ts'
import { programFile } from '../process.ts'

export const reportDeps = (
  { clock }: CommandContext,
  services: CommandParts,
): Omit<ReportDeps, 'cwd' | 'outputFolder'> => ({
  now: clock.now(),
  version: __SVC_VERSION__,
  loadPage: async () => loadReportPage(viewerFolder(programFile())),
  readTrace: executionId => readReportTrace(services.journal(), executionId),
})
