/** POST /execute: an execution of the caller's own, once under an Idempotency-Key if it has one. */
import { ANSWER_WITHIN_HEADER, FREE_OPERATOR_HEADER } from '../../contracts/daemon-headers.ts'
import type { ErrorObject } from '../../contracts/error.ts'
import type { Execution } from '../../contracts/execution.ts'
import { failure } from '../../contracts/failures.ts'
import { ExecuteBody } from '../../contracts/http.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../contracts/operations/operation.ts'
import { validateExecution } from '../../executions/validate.ts'
import { refuse } from '../answer.ts'
import type { HttpDeps } from '../deps.ts'
import { headerOf } from '../headers.ts'
import { readBody } from '../json-body.ts'
import type { RouteModule } from '../module.ts'
import { namedDevice, pathProblem, perform, readFrom, readSkillRun, refuseExecution, viewIn } from '../perform.ts'

const KEY = /^[\x21-\x7e]{1,255}$/

const keyProblem = (key: string | undefined): ErrorObject | undefined =>
  key === undefined || KEY.test(key)
    ? undefined
    : failure('INVALID_BODY', 'The header Idempotency-Key must be 1 to 255 visible ASCII characters.', {
        hint: 'A UUID makes a good key.',
      })

/** The first screenshot whose path may not be written: checked before anything is sent to a device. */
const screenshotProblem = async ({ actions }: Execution, deps: HttpDeps): Promise<ErrorObject | undefined> => {
  for (const [index, action] of actions.entries()) {
    if (action.type !== 'take_screenshot' || action.params?.path === undefined) continue
    const said = await pathProblem(action.params.path, deps)
    if (said === undefined) continue
    const path = `actions.${index}.params.path`
    return failure('EXECUTION_VALIDATION_FAILED', `actions[${index}] (take_screenshot): params.path: ${said}`, {
      details: { path, actionId: action.id, actionType: action.type },
    })
  }
  return undefined
}

type Validated = { ok: true; execution: Execution } | { ok: false; error: ErrorObject }

const validate = async (input: unknown, deps: HttpDeps): Promise<Validated> => {
  const validation = validateExecution(input)
  if (!validation.ok) return validation
  const error = await screenshotProblem(validation.execution, deps)
  return error ? { ok: false, error } : validation
}

export const executeRoutes: RouteModule = {
  mount(app, context) {
    const { deps } = context
    app.post('/execute', async c => {
      const read = await readBody(c.env.incoming, ExecuteBody, deps)
      if (!read.ok) return refuse(read.error)
      const idempotencyKey = headerOf(c.env.incoming, IDEMPOTENCY_KEY_HEADER)
      const unfit = keyProblem(idempotencyKey)
      if (unfit) return refuse(unfit)
      const skillRun = readSkillRun(c.env.incoming)
      if (!skillRun.ok) return refuse(skillRun.error)
      const { execution: input } = read.body
      const isUnnamed = c.req.header(FREE_OPERATOR_HEADER) !== undefined
      const operatorPackage = isUnnamed ? null : read.body.operatorPackage
      const deviceId = namedDevice(read.body.deviceId)
      const validated = await validate(input, deps)
      if (!validated.ok) return refuseExecution(context, { input, deviceId, error: validated.error })
      const { skillRunId } = skillRun
      const { execution } = validated
      const answerWithin = c.req.header(ANSWER_WITHIN_HEADER)
      const from = readFrom(c.env.incoming, deps)
      const asked = { execution, input, deviceId, operatorPackage, idempotencyKey, skillRunId, answerWithin, from }
      return perform(context, { ...asked, view: viewIn(read.body) })
    })
  },
}
