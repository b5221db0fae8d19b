/** Constructs the driver of emulators: its ports for the host, and what routes and commands ask. */
import { join } from 'node:path'
import type { EmulatorLimits } from '../contracts/events/emulator.ts'
import {
  AVD_CREATE_MS,
  EMULATOR_ASK_MS,
  EMULATOR_BOOT_MS,
  EMULATOR_PREPARE_MS,
  EMULATOR_REGISTER_MS,
  EMULATOR_STOP_MS,
  IMAGE_INSTALL_MS,
} from '../contracts/limits/emulator-limits.ts'
import { TIMER_MS_MAX } from '../contracts/limits/limits.ts'
import { deviceOwnershipKey, type OwnershipKeyKind } from '../device/link/select-device.ts'
import type { Host } from '../runtime/host.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { emulatorPorts } from '../service/emulators/emulator-ports.ts'
import { createEmulators } from '../service/emulators/emulators.ts'
import { provisionPorts } from '../service/emulators/provision-ports.ts'
import type { EmulatorServiceDeps, Environment } from '../service/emulators/sdk.ts'
import { standingReservation } from '../service/reservations/end-expired.ts'
import { ownUnlessReserved } from '../service/reservations/unless-reserved.ts'

export interface EmulatorPartsOptions extends Pick<EmulatorServiceDeps, 'env' | 'arch' | 'clock' | 'ids' | 'links'> {
  home: string
  leaseBy: OwnershipKeyKind
  host: () => Host
  journal: () => Journal
}

/** In whole seconds; anything else than a positive number counts as not given. */
const seconds = (text: string | undefined, otherwise: number): number => {
  const ms = Number(text) * 1_000
  return Number.isSafeInteger(ms) && ms > 0 && ms <= TIMER_MS_MAX ? ms : otherwise
}

/** A slow host or network needs longer. */
const emulatorLimits = (env: Environment): EmulatorLimits => ({
  installMs: seconds(env.SVC_EMULATOR_INSTALL_S, IMAGE_INSTALL_MS),
  createMs: seconds(env.SVC_EMULATOR_CREATE_S, AVD_CREATE_MS),
  registerMs: seconds(env.SVC_EMULATOR_REGISTER_S, EMULATOR_REGISTER_MS),
  bootMs: seconds(env.SVC_EMULATOR_BOOT_S, EMULATOR_BOOT_MS),
  prepareMs: EMULATOR_PREPARE_MS,
  goneMs: seconds(env.SVC_EMULATOR_STOP_S, EMULATOR_STOP_MS),
})

export const emulatorParts = ({ home, leaseBy, host, journal, ...parts }: EmulatorPartsOptions) => {
  const { env, clock } = parts
  const deps: EmulatorServiceDeps = {
    ...parts,
    folder: join(home, 'emulators'),
    limits: emulatorLimits(env),
    // The host is made with these ports, so both are looked up when they are needed.
    get host() {
      return host()
    },
    get journal() {
      return journal()
    },
    async owned(link, work) {
      const key = await deviceOwnershipKey(link, leaseBy, { deadline: clock.now() + EMULATOR_ASK_MS })
      const source = { host: host(), journal: journal(), clock }
      const isOwned = await ownUnlessReserved(undefined, key, source, unless =>
        host().whileOwned(key, { commandId: 'emulator-prepare' }, work, unless),
      )
      if (isOwned) return 'done'
      return standingReservation(key, source) ? 'reserved' : 'busy'
    },
  }
  return {
    ports: { emulator: emulatorPorts(deps), provision: provisionPorts(deps) },
    create: () => createEmulators(deps),
  }
}
