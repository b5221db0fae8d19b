/** The device gate of a run: a device that is named, or that is the only one, must be there and ready to be operated. */

import { failure, isFailureCode } from '../../../contracts/failures/failures.ts'
import { createInteractiveCheck } from '../../../device/link/interactive.ts'
import { type CallOptions, type Link, LinkError } from '../../../device/link/link.ts'
import type { Links } from '../../../device/link/links.ts'
import { deviceOwnershipKey, type OwnershipKeyKind, selectDevice } from '../../../device/link/select-device.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Refusal } from '../refusal.ts'
import type { DeviceGate } from './request.ts'

interface DeviceGateDeps {
  leaseBy: OwnershipKeyKind
  links: Pick<Links, 'list' | 'get' | 'current'>
  clock: Clock
  /** Chooses the operator that suits a device best. */
  operatorChoice: { choose(link: Link, options: CallOptions): Promise<string> }
}

/** The time to list the devices, open the link and look at the screen. */
const DEVICE_MS = 20_000

const READY = 'device'

const refusalOf = (error: unknown): Refusal => {
  if (!(error instanceof LinkError)) throw error
  const code = isFailureCode(error.code) ? error.code : 'DEVICE_SHELL_UNAVAILABLE'
  const details = code === 'DEVICE_LINK_LOST' ? { details: { dispatched: false } } : {}
  return { ok: false, error: failure(code, error.message, details) }
}

export const createDeviceGate = ({ links, clock, leaseBy, operatorChoice }: DeviceGateDeps): DeviceGate => {
  const checkInteractive = createInteractiveCheck(clock)
  const leaseKeyOf = (link: Link, options: CallOptions) => deviceOwnershipKey(link, leaseBy, options)

  const byName = async (deviceId: string, options: CallOptions): Promise<Link | Refusal> => {
    const open = links.current(deviceId)
    if (open) return open
    const { devices, problem } = await links.list(options)
    const selected = selectDevice(devices, deviceId, problem)
    return selected.ok ? links.get(selected.serial, options) : selected
  }

  /** A skill that touches no device needs none, and not even a debug bridge. */
  const only = async (options: CallOptions): Promise<Link | undefined> => {
    const listing = await links.list(options).catch((error: unknown) => {
      if (error instanceof LinkError) return { devices: [] }
      throw error
    })
    const [first, ...others] = listing.devices.filter(({ state }) => state === READY)
    return first && others.length === 0 ? links.get(first.serial, options) : undefined
  }

  return async (deviceId, signal, whileOwned, { operatorPackage: named, permit } = {}) => {
    const options = { deadline: clock.now() + DEVICE_MS, signal }
    try {
      const found = deviceId === undefined ? await only(options) : await byName(deviceId.trim(), options)
      if (found === undefined) return { ok: true }
      if ('ok' in found) return found
      const operatorPackage = named ?? (await operatorChoice.choose(found, options))
      const serials = async () => [found.serial, await found.hardwareSerial(options)]
      const denied = await permit?.({ serials, operator: operatorPackage })
      if (denied) return denied
      // Waking it changes the device, so that is done by its owner only.
      const ready = await checkInteractive(found, options, async work =>
        whileOwned(await leaseKeyOf(found, options), work),
      )
      return ready.ok ? { ok: true, operatorPackage } : ready
    } catch (error) {
      return refusalOf(error)
    }
  }
}
