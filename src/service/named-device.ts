/** Names the device of a request that needs one by its id: the caller's, else the only one that is ready. */
import { selectDevice } from '../adb/select-device.ts'
import { namedDevice } from './executions.ts'
import { type Call, failed, type Result, type Service, success } from './service.ts'

export const deviceIdFor = async (
  service: Pick<Service, 'devices.list'>,
  deviceId: string | undefined,
  call: Call,
): Promise<Result<string>> => {
  const named = namedDevice(deviceId)
  if (named !== undefined) return success(named)
  const listed = await service['devices.list']({}, call)
  if (!listed.ok) return listed
  const known = listed.value.devices.map(({ deviceId: serial, state }) => ({ serial, state }))
  const selected = selectDevice(known, undefined)
  return selected.ok ? success(selected.serial) : failed(selected.error)
}
