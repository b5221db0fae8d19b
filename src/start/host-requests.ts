/** Requests about this host and its devices that only its own commands make; what answers them is loaded when first asked. */
import type { Links } from '../device/link/links.ts'
import type { OwnershipKeyKind } from '../device/link/select-device.ts'
import type { OperatorChanges, OperatorChoice } from '../device/operators/choose-operator.ts'
import type { Environment } from '../runtime/home.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import { once } from '../runtime/once.ts'
import type { Parts } from '../service/parts.ts'
import type { HostRequests } from '../surfaces/command-parts.ts'

interface HostDeps extends Pick<Parts, 'clock' | 'journal' | 'openDevice' | 'listDevices' | 'note' | 'version'> {
  env: Environment
  ids: Ids
  leaseBy: OwnershipKeyKind
  program: string | undefined
  links(): Links
  host(): Host
  operatorChoice(): OperatorChoice
  operatorChanges(): OperatorChanges
}

export const hostRequests = (deps: HostDeps): HostRequests => {
  const { clock, env, links, operatorChoice } = deps
  return {
    wireless: once(async () => {
      const { createWirelessRequests } = await import('../service/wireless/wireless.ts')
      return createWirelessRequests({ ...deps, server: () => links().server?.() })
    }),
    operators: once(async () => {
      const { createOperatorRequests } = await import('../service/operators/operators.ts')
      return createOperatorRequests(deps)
    }),
    async checkConnected(operatorPackage, signal) {
      const { checkConnected } = await import('../service/doctor/connected.ts')
      const parts = { env, links: links(), now: clock.now, operatorChoice: operatorChoice() }
      return checkConnected({ ...parts, signal, operatorPackage })
    },
    async directDevice(serial, deadline) {
      const { askDirectDevice } = await import('../service/doctor/devices-at-once.ts')
      return askDirectDevice(links(), serial, deadline)
    },
  }
}
