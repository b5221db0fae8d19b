/** The device that `svc operator` works on: chosen as for an execution, and owned while it is changed. */

import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { isFailureCode } from '../../../contracts/failures/failures.ts'
import { OPERATOR_ASK_MS } from '../../../contracts/limits/limits.ts'
import { leaseIdIn, reservedKey } from '../../../contracts/reservation-grant.ts'
import { type CallOptions, type Link, LinkError } from '../../../device/link/link.ts'
import { deviceOwnershipKey, leaseKeyKind, selectDevice } from '../../../device/link/select-device.ts'
import { conflictWith } from '../../../service/executions/refusals.ts'
import { leaseRefusal, readReservation, reservedConflict } from '../../../service/reservations/read-reservation.ts'
import { ownUnlessReserved } from '../../../service/reservations/unless-reserved.ts'
import { type CommandContext, CommandError } from '../command.ts'
import { leaseOf } from '../flags/lease-flag.ts'

export interface OnDevice {
  deviceId: string
  link: Link
  /** Gives the options for one question or command. */
  within(ms: number): CallOptions & { signal: AbortSignal }
  /** Does it as the owner of the device. */
  owned<T>(commandId: string, work: () => Promise<T>): Promise<T>
}

const refuse = ({ code, message, details, hint }: ErrorObject): never => {
  throw new CommandError(isFailureCode(code) ? code : 'INTERNAL_ERROR', message, { details, hint })
}

/** Converts a failure on the way to the device to a code of the failure table. */
export const asCommandError = (error: unknown): unknown => {
  if (!(error instanceof LinkError)) return error
  return new CommandError(isFailureCode(error.code) ? error.code : 'DEVICE_SHELL_UNAVAILABLE', error.message)
}

const openLink = async (call: CommandContext, options: CallOptions): Promise<Link> => {
  const links = (await call.services()).links()
  const { devices, problem } = await links.list(options)
  const selected = selectDevice(devices, call.text('device'), problem)
  return selected.ok ? links.get(selected.serial, options) : refuse(selected.error)
}

export const onDevice = async (call: CommandContext): Promise<OnDevice> => {
  const { clock, signal, env } = call
  const within = (ms: number) => ({ deadline: clock.now() + ms, signal })
  const link = await openLink(call, within(OPERATOR_ASK_MS))
  const services = await call.services()
  return {
    deviceId: link.serial,
    link,
    within,
    async owned(commandId, work) {
      const key = await deviceOwnershipKey(link, leaseKeyKind(env), within(OPERATOR_ASK_MS))
      let done: { value: Awaited<ReturnType<typeof work>> } | undefined
      const leaseId = leaseOf(call)
      const source = { host: services.host(), journal: services.journal(), clock }
      const isOwned = await ownUnlessReserved(leaseId, key, source, unless =>
        services.host().whileOwned(
          key,
          { commandId },
          async () => {
            done = { value: await work() }
          },
          unless,
        ),
      )
      if (isOwned && done) return done.value
      const { leases } = services.journal()
      const reserved = leases.owner(reservedKey(key))
      const isHeld = leaseId !== undefined && readReservation(leaseId, source)?.state === 'held'
      if (leaseId !== undefined && (!isHeld || (reserved && leaseIdIn(reserved)) !== leaseId))
        return refuse(leaseRefusal(leaseId, link.serial, source))
      if (reserved && leaseId === undefined) return refuse(reservedConflict(link.serial, reserved, source))
      const lease = leases.read(key)
      const conflict = lease && conflictWith({ kind: 'held', lease }, link.serial, process.pid, services.journal())
      return refuse(conflict ?? { code: 'EXECUTION_CONFLICT_IN_FLIGHT', message: `Device ${link.serial} is busy.` })
    },
  }
}
