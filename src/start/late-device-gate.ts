/** The device gate of `svc skills run`: the debug bridge is loaded only where there may be a device. */
import { isBridgeAbsent } from '../device/link/bridge-absent.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Environment } from '../runtime/home.ts'
import type { DeviceGate } from '../service/skills/run/request.ts'

export const lateDeviceGate =
  (options: { env: Environment; clock: Clock }): DeviceGate =>
  async (deviceId, signal, whileOwned, ask) => {
    if (deviceId === undefined && (await isBridgeAbsent(options))) return { ok: true }
    const { openDeviceGate } = await import('./device-gate.ts')
    const { check, close } = openDeviceGate(options)
    // Not held open: the script's own calls speak to the device themselves.
    return check(deviceId, signal, whileOwned, ask).finally(close)
  }
