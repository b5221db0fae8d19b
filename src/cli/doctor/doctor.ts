/** `svc doctor` at work: everything that has to be right before a device can be driven. */
import { DEFAULT_OPERATOR_PACKAGE } from '../../contracts/literals.ts'
import type { Call, CommandResult } from '../command.ts'
import { namedOperator } from '../operator-package.ts'
import type { Check } from './check.ts'
import { checkDaemon } from './daemon.ts'
import { checkConnected } from './devices.ts'
import { checkDisk } from './disk.ts'
import { checkEmulators } from './emulators.ts'
import { checkHome, checkJournal, checkNode } from './host.ts'
import { checkSetup } from './setup.ts'

/** Loads what speaks to NATS only where there is a fleet. */
const checkFleetOf = async (call: Call): Promise<Check[]> => {
  const { env, clock } = call
  if (call.text('fleet') === undefined && !env.SVC_FLEET?.trim()) return []
  const { fleetAddressOf, listOf } = await import('../fleet-address.ts')
  const address = fleetAddressOf(call, env)
  if (!address) return []
  const { checkFleet } = await import('./fleet.ts')
  return checkFleet({ address, monitors: listOf(env.SVC_FLEET_MONITOR), clock })
}

export const runDoctor = async (call: Call): Promise<CommandResult> => {
  const { env, clock, signal } = call
  const operatorPackage = namedOperator(call)
  const fleet = await checkFleetOf(call)
  const services = await call.services()
  const { home } = services
  const host = [checkNode(process.versions.node), checkHome(home), checkDisk(home), checkJournal({ home, clock, env })]
  const daemon = await checkDaemon({ env, home, device: call.text('device'), clock })
  const connected = await checkConnected({
    env,
    links: services.links(),
    now: clock.now,
    signal,
    operatorPackage,
    operatorChoice: services.operatorChoice(),
  })
  const { platform, arch } = process
  const emulators = checkEmulators({ env, platform, arch, kvm: '/dev/kvm' }, call.isOn('emulators'))
  const checks = [...host, checkSetup(call), daemon, ...connected.checks, ...emulators, ...fleet]
  const ok = checks.every(({ status }) => status !== 'failed')
  return {
    ok,
    output: {
      ok,
      version: __SVC_VERSION__,
      operatorPackage: operatorPackage ?? DEFAULT_OPERATOR_PACKAGE,
      checks,
      devices: connected.devices,
    },
  }
}
