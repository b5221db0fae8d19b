/** POST /snapshot: reads the screen as an execution of one action that the server builds itself. */
import type { FailureCode } from '../../contracts/failures.ts'
import { SnapshotBody } from '../../contracts/http.ts'
import { snapshotExecution } from '../../executions/synthetic.ts'
import { refuse } from '../answer.ts'
import { readBody } from '../json-body.ts'
import type { RouteModule } from '../module.ts'
import { namedDevice, perform, readSkillRun } from '../perform.ts'
import { EXECUTION_ANSWER_HEADERS, EXECUTION_FAILURES, SKILL_RUN_HEADERS } from './execute.ts'

/** Of a route that builds its execution itself. */
export const CAPTURE_FAILURES: readonly FailureCode[] = [
  'INVALID_BODY',
  'INVALID_JSON',
  'INVALID_DEVICE_ID',
  'INVALID_OPERATOR_PACKAGE',
  'INTERNAL_ERROR',
  ...EXECUTION_FAILURES,
]

export const CAPTURE_OPERATION = {
  method: 'post',
  headers: SKILL_RUN_HEADERS,
  answers: 'ExecutionSuccess',
  answerHeaders: EXECUTION_ANSWER_HEADERS,
} as const

export const snapshotRoutes: RouteModule = {
  operations: [
    {
      ...CAPTURE_OPERATION,
      path: '/snapshot',
      summary: 'Reads the screen of a device as hierarchy XML.',
      body: 'SnapshotBody',
      failures: CAPTURE_FAILURES,
    },
  ],
  mount(app, context) {
    const { deps } = context
    app.post('/snapshot', async c => {
      const read = await readBody(c.env.incoming, SnapshotBody, deps)
      if (!read.ok) return refuse(read.error)
      const skillRun = readSkillRun(c.env.incoming)
      if (!skillRun.ok) return refuse(skillRun.error)
      const execution = snapshotExecution({ origin: 'serve', now: deps.clock.now() })
      const { operatorPackage } = read.body
      const deviceId = namedDevice(read.body.deviceId)
      const { skillRunId } = skillRun
      return perform(context, { execution, input: execution, deviceId, operatorPackage, skillRunId })
    })
  },
}
