/** Whether a command is one for a fleet: the environment says so, or the device does. Loads nothing of a fleet. */
import type { Environment } from '../command.ts'

export const isInFleet = ({ SVC_FLEET }: Environment): boolean => (SVC_FLEET?.trim() ?? '') !== ''

/** `any`, `any:<terms>`. */
export const isAny = (device: string): boolean => /^any(:|$)/.test(device.trim())

/** Such as a fleet alone has; a serial of this machine may look like that all the same. */
export const isFleetDevice = (device: string | undefined): boolean =>
  device !== undefined && (device.includes('@') || isAny(device))

/** Most calls are not, and go on at once. */
export const concernsFleet = (env: Environment, device: string | undefined): boolean =>
  isInFleet(env) || isFleetDevice(device)
