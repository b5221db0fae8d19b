/** Decides if a command for a device goes to the fleet. Only commands for a possible fleet device load this. */
import { skillRunIn } from '../../contracts/ids.ts'
import { type Call, usage } from '../command.ts'
import { isFleetDevice, isInFleet } from './concerns-fleet.ts'

/** True when this machine lists the device; false when it cannot list devices. */
export const isConnectedHere = async ({ services, signal }: Call, device: string): Promise<boolean> => {
  try {
    const devices = await (await services()).listDevices(signal)
    return devices.some(({ serial }) => serial === device.trim())
  } catch {
    return false
  }
}

const HINT = 'Set SVC_FLEET to its NATS servers: SVC_FLEET=nats://nats1:4222,nats://nats2:4222'

/** Throws for a device of a fleet where there is none. */
export const goesToFleet = async (call: Call, device: string | undefined): Promise<boolean> => {
  const { env } = call
  // A run is where its device is, and what it asks for without naming another host is for that device.
  if (isInFleet(env)) return skillRunIn(env) === undefined || isFleetDevice(device)
  if (device === undefined || !isFleetDevice(device)) return false
  if (await isConnectedHere(call, device)) return false
  throw usage(`--device ${device} is for a device of a fleet, and SVC_FLEET is not set.`, { hint: HINT })
}
