/** POST /snapshot and POST /screenshot: executions of one action that the server builds itself. */
import { failure } from '../../contracts/failures.ts'
import { ScreenshotBody, SnapshotBody } from '../../contracts/http.ts'
import { screenshotExecution, snapshotExecution } from '../../executions/synthetic.ts'
import { refuse } from '../answer.ts'
import { readBody } from '../json-body.ts'
import type { RouteModule } from '../module.ts'
import { namedDevice, pathProblem, perform, readSkillRun } from '../perform.ts'
import { EXECUTION_ANSWER_HEADERS, EXECUTION_FAILURES, SKILL_RUN_HEADERS } from './execute.ts'

const BODY_FAILURES = ['INVALID_BODY', 'INVALID_JSON', 'INVALID_DEVICE_ID', 'INVALID_OPERATOR_PACKAGE'] as const

const documented = {
  method: 'post',
  headers: SKILL_RUN_HEADERS,
  answers: 'ExecutionSuccess',
  answerHeaders: EXECUTION_ANSWER_HEADERS,
} as const

export const syntheticRoutes: RouteModule = {
  operations: [
    {
      ...documented,
      path: '/snapshot',
      summary: 'Reads the screen of a device as hierarchy XML.',
      body: 'SnapshotBody',
      failures: [...BODY_FAILURES, 'INTERNAL_ERROR', ...EXECUTION_FAILURES],
    },
    {
      ...documented,
      path: '/screenshot',
      summary: 'Takes a picture of the screen and writes it to a file on this host.',
      body: 'ScreenshotBody',
      failures: [...BODY_FAILURES, 'INVALID_PATH', 'INTERNAL_ERROR', ...EXECUTION_FAILURES],
    },
  ],
  mount(app, context) {
    const { deps } = context
    const { clock } = deps

    app.post('/snapshot', async c => {
      const read = await readBody(c.env.incoming, SnapshotBody, deps)
      if (!read.ok) return refuse(read.error)
      const skillRun = readSkillRun(c.env.incoming)
      if (!skillRun.ok) return refuse(skillRun.error)
      const execution = snapshotExecution({ origin: 'serve', now: clock.now() })
      const { operatorPackage } = read.body
      const deviceId = namedDevice(read.body.deviceId)
      const { skillRunId } = skillRun
      return perform(context, { execution, input: execution, deviceId, operatorPackage, skillRunId })
    })

    app.post('/screenshot', async c => {
      const read = await readBody(c.env.incoming, ScreenshotBody, deps)
      if (!read.ok) return refuse(read.error)
      const skillRun = readSkillRun(c.env.incoming)
      if (!skillRun.ok) return refuse(skillRun.error)
      const { skillRunId } = skillRun
      const { operatorPackage, path } = read.body
      const deviceId = namedDevice(read.body.deviceId)
      const problem = path === undefined ? undefined : await pathProblem(path, deps)
      if (problem !== undefined) {
        return refuse(failure('INVALID_PATH', `No screenshot may be written there: ${problem}.`))
      }
      const execution = screenshotExecution({ origin: 'serve', now: clock.now(), path })
      return perform(context, { execution, input: execution, deviceId, operatorPackage, skillRunId })
    })
  },
}
