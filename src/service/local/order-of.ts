/** Makes the order of an execution from what its caller sent and from the conditions of the call. */
import type { Execution } from '../../contracts/executions/execution.ts'
import { defined, isSameJson } from '../../contracts/json/json.ts'
import type { ExecutionOrder } from '../executions/order.ts'
import { fileRootsOf } from '../host-paths.ts'
import type { Parts } from '../parts.ts'
import type { RequestOptions } from '../service.ts'

/** The fields of an order that a request names, each under its own name. */
type Named = Pick<ExecutionOrder, 'deviceId' | 'operatorPackage' | 'view' | 'waitMs' | 'resumes'> &
  Partial<Pick<ExecutionOrder, 'screenshots' | 'input'>>

export type OrderOf = (execution: Execution, named: Named, call: RequestOptions) => ExecutionOrder

/** The execution as the caller sent it. */
export const sentExecution = ({ input, execution }: ExecutionOrder): unknown => input ?? execution

export const createOrderOf =
  ({ screenshots, listener }: Pick<Parts, 'screenshots' | 'listener'>): OrderOf =>
  (execution, { input, waitMs, ...named }, { context, signal, leave, onProgress }) => {
    const { skillRunId, leaseId, sent, caller, confirmed, picturePaths, isFollowUp } = context
    return {
      execution,
      screenshots,
      ...named,
      ...(input === undefined || isSameJson(input, execution) ? {} : { input }),
      caller,
      listener,
      ...defined({ skillRunId, leaseId, picturePaths, confirmed, fileRoots: fileRootsOf(context), epoch: sent?.epoch }),
      ...(isFollowUp ? { isFollowUp: true } : {}),
      ...(sent === undefined ? {} : { isSent: true }),
      ...(signal === undefined ? {} : { cancel: signal }),
      ...(waitMs ? { waitMs, leave } : {}),
      ...(onProgress === undefined
        ? {}
        : {
            onRequested: ({ executionId, deviceId: serial }) =>
              onProgress({ kind: 'begun', actor: `device:${serial}`, executionId }),
            onPlace: waiting => onProgress({ kind: 'waiting', ...waiting }),
          }),
    }
  }
