/** Tells if a command is for a fleet, by the environment or by the device. Loads no code of fleets. */
import { skillRunIn } from '../../contracts/ids.ts'
import type { Environment } from '../command.ts'

export const isInFleet = ({ SVC_FLEET }: Environment): boolean => Boolean(SVC_FLEET?.trim())

/** `<serial>@<host>`, `any`, `any:<terms>`: such as a fleet alone has; a serial of this machine may hold an @ all the same. */
export const isFleetDevice = (device = ''): boolean => /@|^\s*any\s*(:|$)/.test(device)

/** A skill run is where its device is: a command of it that names no other host is for that device. */
export const concernsFleet = (env: Environment, device: string | undefined): boolean =>
  isFleetDevice(device) || (isInFleet(env) && skillRunIn(env) === undefined)
