/** The list of devices with the reservations that are held on them. */
import type { ListedDevice } from '../contracts/device/device.ts'
import type { Reservation } from '../contracts/reservation.ts'

export const withLeases = (devices: readonly ListedDevice[], leases: readonly Reservation[]): ListedDevice[] => {
  const byDevice = new Map(leases.map(({ deviceId, host: _, ...lease }) => [deviceId, lease]))
  return devices.map(device => {
    const lease = byDevice.get(device.deviceId)
    return lease === undefined ? device : { ...device, lease }
  })
}
