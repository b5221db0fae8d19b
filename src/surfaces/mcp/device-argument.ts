/** The argument `device` of a tool: a serial, or a leaseId, which stands for the device of that reservation. */
import { failure } from '../../contracts/failures/failures.ts'
import { isId } from '../../contracts/records/ids.ts'
import { deviceIdFor } from '../../service/executions.ts'
import { failed, type RequestOptions, type Result, success } from '../../service/service.ts'
import type { McpContext } from './options.ts'

interface Target {
  deviceId: string | undefined
  /** The reservation that the call belongs to. */
  leaseId: string | undefined
}

/** No serial looks like an id of svc. */
export const targetOf = (device: string | undefined, { deviceId, leaseId }: McpContext): Target => {
  const named = device?.trim() || undefined
  if (named === undefined) return { deviceId: leaseId === undefined ? deviceId : undefined, leaseId }
  return isId(named) ? { deviceId: undefined, leaseId: named } : { deviceId: named, leaseId }
}

/** The device of a tool that looks, which needs no reservation. */
export const deviceToLookAt = async (
  device: string | undefined,
  deps: McpContext,
  call: RequestOptions,
): Promise<Result<string>> => {
  const { deviceId, leaseId } = targetOf(device, deps)
  if (deviceId !== undefined || leaseId === undefined) return deviceIdFor(deps.service, deviceId, call)
  const listed = await deps.service['leases.list']({}, call)
  if (!listed.ok) return listed
  const held = listed.value.leases.find(lease => lease.leaseId === leaseId)
  return held
    ? success(held.deviceId)
    : failed(failure('LEASE_NOT_FOUND', `No reservation with the id ${leaseId} is held.`, { details: { leaseId } }))
}
