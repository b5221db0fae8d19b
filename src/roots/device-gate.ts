/** Constructs the device gate of `svc skills run` with links of its own: a piece by itself, for it takes long to load. */

import { linksFrom } from '../adb/links.ts'
import { leaseKeyKind } from '../adb/select-device.ts'
import { createOperatorChoice } from '../operator/choose-operator.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Environment } from '../runtime/home.ts'
import { createDeviceGate } from '../skills/run/device-gate.ts'
import type { DeviceGate } from '../skills/run/request.ts'

export interface OpenGate {
  check: DeviceGate
  close(): Promise<void>
}

export const openDeviceGate = ({ env, clock }: { env: Environment; clock: Clock }): OpenGate => {
  const links = linksFrom({ env, clock })
  return {
    check: createDeviceGate({
      links,
      clock,
      leaseBy: leaseKeyKind(env),
      operatorChoice: createOperatorChoice({ clock }),
    }),
    close: () => links.close(),
  }
}
