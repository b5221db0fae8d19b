/** The execution that acted before one that only looked: a look follows many commands, and says nothing of what they did. */

import { onlyLooks } from '../../../contracts/actions/cards.ts'
import type { Receipt } from '../../../contracts/executions/receipt.ts'
import type { Service, RequestOptions as ServiceCall } from '../../../service/service.ts'

/** So many executions of the task are read for one that acts. */
const SEARCHED_MAX = 50

/** The actions of a receipt are known as long as its payload is kept. */
const isLook = ({ actions = [] }: Receipt): boolean =>
  actions.length > 0 && actions.every(({ type }) => onlyLooks(type))
const acts = ({ actions = [] }: Receipt): boolean => actions.some(({ type }) => !onlyLooks(type))

/** Finds it by the same task, device and skill run. Undefined for an execution that acts itself. */
export const actedBefore = async (service: Service, look: Receipt, call: ServiceCall): Promise<Receipt | undefined> => {
  if (!isLook(look)) return undefined
  const { taskId, deviceId, skillRunId } = look
  const listed = await service['executions.list']({ taskId, deviceId, limit: SEARCHED_MAX }, call)
  if (!listed.ok) return undefined
  const ofTask = [...listed.value.executions]
  const older = ofTask.slice(ofTask.findIndex(({ executionId }) => executionId === look.executionId) + 1)
  for (const { executionId, skillRunId: run } of older) {
    if (run !== skillRunId) continue
    const one = await service['executions.get']({ executionId }, call)
    if (one.ok && acts(one.value.execution)) return one.value.execution
  }
  return undefined
}
