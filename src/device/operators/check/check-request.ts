/** The requests of a check, as a host writes them. */
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
  /** The wire id, where it is not to be a new one. */
  commandId?: string | undefined
}

/** A phone that is slow needs this for its snapshots; what never comes is waited for as long. */
const TIMEOUT_MS = 10_000

/** Canonical, with every default filled in. */
const canonical = (actions: readonly WrittenAction[]): Action[] =>
  actions.map((action, at) => v.parse(Action, { id: chosenStepId(at), params: {}, ...action }))

export const checkRequest = (
  ids: Pick<Ids, 'instance'>,
  written: readonly WrittenAction[],
  { taskId = 'check', timeoutMs = TIMEOUT_MS, commandId = wireIdOf(ids.instance(), 0) }: CheckRequestOptions = {},
): OperatorRequest => {
  const actions = canonical(written)
  const source = 'svc-operator-check'
  const execution: Execution = {
    commandId: 'check',
    taskId,
    source,
    expectedFormat: EXPECTED_FORMAT,
    timeoutMs,
    actions,
  }
  const awaited = { wireId: commandId, nonce: freshNonce(ids) }
  return operatorRequest({ execution, actions, awaited, timeLeftMs: timeoutMs })
}
