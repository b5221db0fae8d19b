/** Tells if a command is for a fleet, by the environment or by the device. Loads no code of fleets. */
import type { Environment } from '../command.ts'

export const isInFleet = ({ SVC_FLEET }: Environment): boolean => Boolean(SVC_FLEET?.trim())

/** `<serial>@<host>`, `any`, `any:<terms>`: such as a fleet alone has; a serial of this machine may hold an @ all the same. */
export const isFleetDevice = (device = ''): boolean => /@|^\s*any\s*(:|$)/.test(device)

/** Most calls are not, and go on at once. */
export const concernsFleet = (env: Environment, device: string | undefined): boolean =>
  isInFleet(env) || isFleetDevice(device)
