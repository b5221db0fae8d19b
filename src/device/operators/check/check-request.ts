/** The requests of a check: valid ones as a host writes them, and texts that no host would send. */
import * as v from 'valibot'
import { chosenStepId } from '../../../contracts/chosen-step-ids.ts'
import type { OperatorRequest } from '../../../contracts/device/operator.ts'
import { Action } from '../../../contracts/executions/action.ts'
import type { Execution } from '../../../contracts/executions/execution.ts'
import { EXPECTED_FORMAT } from '../../../contracts/json/literals.ts'
import type { Ids } from '../../../runtime/ids.ts'
import { freshNonce, operatorRequest, wireIdOf } from '../app/segment-request.ts'

export interface WrittenAction {
  type: string
  params?: object
  id?: string
}

export interface CheckRequestOptions {
  taskId?: string
  timeoutMs?: number
}

/** A phone that is slow needs this for its snapshots; what never comes is waited for as long. */
const TIMEOUT_MS = 10_000
const SOURCE = 'svc-operator-check'

/** Canonical, with every default filled in. */
const canonical = (actions: readonly WrittenAction[]): Action[] =>
  actions.map((action, at) => v.parse(Action, { id: chosenStepId(at), params: {}, ...action }))

export const checkRequest = (
  ids: Pick<Ids, 'instance'>,
  actions: readonly WrittenAction[],
  { taskId = 'check', timeoutMs = TIMEOUT_MS }: CheckRequestOptions = {},
): OperatorRequest => {
  const execution: Execution = {
    commandId: 'check',
    taskId,
    source: SOURCE,
    expectedFormat: EXPECTED_FORMAT,
    timeoutMs,
    actions: canonical(actions),
  }
  const awaited = { wireId: wireIdOf(ids.instance(), 0), nonce: freshNonce(ids) }
  return operatorRequest({ execution, actions: execution.actions, awaited, timeLeftMs: timeoutMs })
}
