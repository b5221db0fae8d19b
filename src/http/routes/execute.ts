/** POST /execute: an execution of the caller's own, once under an Idempotency-Key if it has one. */

import type { ErrorObject } from '../../contracts/error.ts'
import type { Execution } from '../../contracts/execution.ts'
import { failure } from '../../contracts/failures.ts'
import { ExecuteBody } from '../../contracts/http.ts'
import { readContext } from '../../contracts/request-context.ts'
import { validateExecution } from '../../executions/validate.ts'
import { refuse } from '../answer.ts'
import type { HttpDeps } from '../deps.ts'
import { readBody } from '../json-body.ts'
import type { RouteModule } from '../module.ts'
import { namedDevice, pathProblem, perform, refuseExecution, viewIn } from '../perform.ts'

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
      const asked = readContext(c.env.incoming.headers, deps)
      if (!asked.ok) return refuse(asked.error)
      const { execution: input, operatorPackage } = read.body
      const deviceId = namedDevice(read.body.deviceId)
      const validated = await validate(input, deps)
      if (!validated.ok) return refuseExecution(context, { input, deviceId, error: validated.error })
      const { execution } = validated
      const { context: from } = asked
      return perform(context, { execution, input, deviceId, operatorPackage, view: viewIn(read.body), context: from })
    })
  },
}
