/** Traces of executions and skill runs: as JSON for the viewer, and as one HTML file that opens from disk. */
import { failure } from '../../contracts/failures.ts'
import type { Trace, TraceResponse } from '../../contracts/viewer.ts'
import { loadAssets } from '../../viewer/assets.ts'
import { traceOfExecution, traceOfRun } from '../../viewer/trace.ts'
import { traceHtml, withPictureLinks } from '../../viewer/trace-html.ts'
import { answer, refuse } from '../answer.ts'
import type { RouteModule } from '../module.ts'

const EXECUTION = '/executions/:executionId/trace'
const RUN = '/skill-runs/:runId/trace'

const noExecution = (executionId: string) =>
  refuse(failure('EXECUTION_NOT_FOUND', 'No receipt has this execution id.', { details: { executionId } }))

const noRun = (runId: string) =>
  refuse(failure('ACTOR_NOT_FOUND', 'No skill run has this id.', { details: { id: `skill-run:${runId}` } }))

export const traceRoutes: RouteModule = {
  mount(app, { deps: { journal, executions, viewerFolder } }) {
    const ofExecution = async (executionId: string) => {
      const receipt = await executions.receipt(executionId)
      return receipt && traceOfExecution(journal, receipt)
    }

    const json = async (trace: Trace) => {
      const response: TraceResponse = { ok: true, trace: await withPictureLinks(journal, trace) }
      return answer(response)
    }

    /** Sandboxed: what a trace holds came from devices and skills. */
    const file = async (trace: Trace) => {
      if (viewerFolder === undefined) {
        return refuse(failure('NOT_FOUND', 'This server has no viewer: its page was not built.'))
      }
      const { html, policy } = await traceHtml(journal, trace, loadAssets(viewerFolder))
      const headers = {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': `${policy}; frame-ancestors 'none'; sandbox allow-scripts allow-downloads`,
        'X-Content-Type-Options': 'nosniff',
        'X-Frame-Options': 'DENY',
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
      }
      return new Response(html, { headers })
    }

    app.get(EXECUTION, async c => {
      const executionId = c.req.param('executionId')
      const trace = await ofExecution(executionId)
      return trace ? json(trace) : noExecution(executionId)
    })
    app.get(`${EXECUTION}.html`, async c => {
      const executionId = c.req.param('executionId')
      const trace = await ofExecution(executionId)
      return trace ? file(trace) : noExecution(executionId)
    })
    app.get(RUN, c => {
      const runId = c.req.param('runId')
      const trace = traceOfRun(journal, runId)
      return trace ? json(trace) : noRun(runId)
    })
    app.get(`${RUN}.html`, async c => {
      const runId = c.req.param('runId')
      const trace = traceOfRun(journal, runId)
      return trace ? file(trace) : noRun(runId)
    })
  },
}
