/** The device that a request about operators works on: chosen as for an execution, and owned while it is changed. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { OPERATOR_ASK_MS } from '../../contracts/limits/limits.ts'
import { leaseIdIn, reservedKey } from '../../contracts/reservation-grant.ts'
import { createInteractiveCheck } from '../../device/link/interactive.ts'
import type { CallOptions, Link } from '../../device/link/link.ts'
import { deviceOwnershipKey, type OwnershipKeyKind } from '../../device/link/select-device.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import { asFailure, conflictWith } from '../executions/refusals.ts'
import { answering } from '../local/run.ts'
import type { Parts } from '../parts.ts'
import { leaseRefusal, readReservation, reservedConflict } from '../reservations/read-reservation.ts'
import { ownUnlessReserved } from '../reservations/unless-reserved.ts'
import { failed, type Result } from '../service.ts'

export interface OperatorDeps extends Pick<Parts, 'clock' | 'journal' | 'openDevice' | 'note'> {
  host(): Host
  leaseBy: OwnershipKeyKind
}

/** The caller, and the device that is meant. */
export interface OperatorCall {
  deviceId: string | undefined
  /** The reservation that the request belongs to. */
  leaseId: string | undefined
  signal: AbortSignal
}

export interface ReachedDevice {
  deviceId: string
  link: Link
  /** Gives the options for one question or command. */
  within(ms: number): CallOptions & { signal: AbortSignal }
}

/** Why the device cannot be operated now, after one attempt to make it so. */
export const notInteractive = async (
  clock: Clock,
  { link, within }: ReachedDevice,
): Promise<ErrorObject | undefined> => {
  const interactive = await createInteractiveCheck(clock)(link, within(OPERATOR_ASK_MS))
  if (interactive.ok) return undefined
  const { message, details, hint } = interactive.error
  return failure('DEVICE_NOT_INTERACTIVE', message, { details, hint })
}

/** Reaches the device, and answers what is refused or fails there. */
export const onDevice = <T>(
  { clock, openDevice, note }: OperatorDeps,
  { deviceId: wanted, signal }: OperatorCall,
  work: (device: ReachedDevice) => Promise<Result<T>>,
): Promise<Result<T>> =>
  answering(
    async () => {
      const within = (ms: number) => ({ deadline: clock.now() + ms, signal })
      try {
        const reached = await openDevice(wanted, within(OPERATOR_ASK_MS))
        if (!reached.ok) return failed(reached.error)
        return await work({ deviceId: reached.deviceId, link: reached.link, within })
      } catch (error) {
        return failed(asFailure(error))
      }
    },
    { what: 'a request about operators', note },
  )

/** The same as the owner of the device, so that no execution comes in between. */
export const onOwnedDevice = <T>(
  deps: OperatorDeps,
  call: OperatorCall & { commandId: string },
  work: (device: ReachedDevice) => Promise<Result<T>>,
): Promise<Result<T>> =>
  onDevice(deps, call, async device => {
    const { leaseId, commandId } = call
    const { link, within } = device
    const [host, journal] = [deps.host(), deps.journal()]
    const key = await deviceOwnershipKey(link, deps.leaseBy, within(OPERATOR_ASK_MS))
    const source = { host, journal, clock: deps.clock }
    let done: Result<T> | undefined
    const isOwned = await ownUnlessReserved(leaseId, key, source, unless =>
      host.whileOwned(
        key,
        { commandId },
        async () => {
          done = await work(device)
        },
        unless,
      ),
    )
    if (isOwned && done) return done
    const { leases } = journal
    const reserved = leases.owner(reservedKey(key))
    const isHeld = leaseId !== undefined && readReservation(leaseId, source)?.state === 'held'
    if (leaseId !== undefined && (!isHeld || (reserved && leaseIdIn(reserved)) !== leaseId))
      return failed(leaseRefusal(leaseId, link.serial, source))
    if (reserved && leaseId === undefined) return failed(reservedConflict(link.serial, reserved, source))
    const lease = leases.read(key)
    const conflict = lease && conflictWith({ kind: 'held', lease }, link.serial, process.pid, journal)
    return failed(conflict ?? failure('EXECUTION_CONFLICT_IN_FLIGHT', `Device ${link.serial} is busy.`))
  })
