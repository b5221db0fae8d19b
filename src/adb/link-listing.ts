/** Every device in any state: what the adb server lists, and those that are spoken to directly. */
import type { DeviceRecord } from '../contracts/device.ts'
import { type Clock, pause } from '../runtime/clock.ts'
import { bounded } from './bounded.ts'
import { type CallOptions, LinkError } from './link.ts'
import type { LinkLimits } from './link-limits.ts'
import type { LinkSlot } from './link-slot.ts'

export interface Listing {
  devices: DeviceRecord[]
  /** Set when the adb server failed and only the devices that need none are listed. */
  problem?: LinkError
}

const STATES: Partial<Record<LinkError['code'], string>> = { DEVICE_UNAUTHORIZED: 'unauthorized' }
const OFFLINE = 'offline'
const UNAUTHORIZED = 'unauthorized'

const stateOfError = (error: unknown) => (error instanceof LinkError ? STATES[error.code] : undefined) ?? OFFLINE

export interface ProbeOptions extends CallOptions {
  clock: Clock
  limits: Pick<LinkLimits, 'probeMs' | 'authorizingGraceMs'>
}

/** Opening the link is the question, and the link is kept: the next execution finds it open. */
export const stateOf = async (slot: LinkSlot, { clock, limits, ...call }: ProbeOptions): Promise<string> => {
  const open = slot.current()
  if (open) return open.state
  const attempt = slot.attempt()
  if (attempt instanceof LinkError) return stateOfError(attempt)
  const unanswered = () => (attempt.isAsked() ? UNAUTHORIZED : OFFLINE)
  const undecided = async (stop: AbortSignal) => {
    await attempt.offered
    await pause(clock, limits.authorizingGraceMs, stop)
    return UNAUTHORIZED
  }
  const deadline = Math.min(call.deadline, attempt.since + limits.probeMs)
  if (deadline <= clock.now()) return unanswered()
  const bounds = { clock, what: 'probing a device', ...call, deadline }
  try {
    return await bounded(bounds, stop => Promise.race([attempt.opened.then(({ state }) => state), undecided(stop)]))
  } catch (error) {
    if (error instanceof LinkError && error.code === 'LINK_CANCELLED') throw error
    return error instanceof LinkError && error.code === 'LINK_TIMEOUT' ? unanswered() : stateOfError(error)
  }
}

/** The devices of the server, or why there are none. Without a server there is nothing wrong when others are configured. */
export const fromServer = async (ask: () => Promise<DeviceRecord[]>, hasOthers: boolean): Promise<Listing> => {
  try {
    return { devices: await ask() }
  } catch (error) {
    if (!hasOthers || !(error instanceof LinkError)) throw error
    if (error.code === 'ADB_NOT_FOUND') return { devices: [] }
    if (error.code === 'ADB_SERVER_FAILED') return { devices: [], problem: error }
    throw error
  }
}
