/** Constructs the device gate of `svc skills run` with links of its own: a piece by itself, for it takes long to load. */

import { linksFrom } from '../device/link/links.ts'
import { leaseKeyKind } from '../device/link/select-device.ts'
import { createOperatorChoice } from '../device/operators/choose-operator.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Environment } from '../runtime/home.ts'
import { createDeviceGate } from '../service/skills/run/device-gate.ts'
import type { DeviceGate } from '../service/skills/run/request.ts'

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
