/** A reservation: one phone for this caller over many calls, until it is released or its time is over. */
import { LEASE_HEADER } from '../../contracts/doors/headers.ts'
import type { Executor } from './execution.ts'
import type { Signal } from './outside.ts'
import { createPhone, type Phone } from './phone.ts'
import { cancelled, SvcError } from './svc-error.ts'

export interface LeaseOptions {
  /** The reservation ends by itself after so long: 1,000 ms to 24 hours. */
  forMs: number
  /** How long to wait for a phone that is busy or reserved, in ms; without it such a phone refuses at once. */
  waitMs?: number | undefined
  /** The purpose of the reservation: one line that those who are refused read. */
  note?: string | undefined
  signal?: Signal | undefined
}

export interface Lease extends Omit<Phone, 'deviceId'>, AsyncDisposable {
  readonly deviceId: string
  /** The id of the reservation. */
  readonly id: string
  /** When it ends by itself, in epoch ms of the host that has the phone. */
  readonly expiresAt: number
  /** Sets its end to so many ms from now, and answers `expiresAt`. */
  extend(forMs: number): Promise<number>
  /** Gives the phone back; once more does nothing, unless the first time failed. */
  release(): Promise<void>
}

const AROUND_MS = 60_000
/** A caller that leaves hears so long whether it had the phone already. */
const PARTING_MS = 5_000

const isOver = (error: unknown): boolean => error instanceof SvcError && error.code === 'LEASE_NOT_FOUND'

/** @internal */
export const createLease = async (
  executor: Executor,
  { device, operatorPackage }: { device: string; operatorPackage: string | undefined },
  { forMs, waitMs, note, signal }: LeaseOptions & { signal: Signal },
  /** The end of the connection releases them. */
  held: Set<Lease>,
): Promise<Lease> => {
  const { ask } = executor
  const body = { device, forMs, ...(waitMs === undefined ? {} : { waitMs }), ...(note === undefined ? {} : { note }) }
  const within = { signal, timeoutMs: (waitMs ?? 0) + AROUND_MS, partingMs: PARTING_MS }
  const { lease } = await ask('leases.create', body, within)
  const { leaseId, deviceId } = lease
  let { expiresAt } = lease
  let released: Promise<void> | undefined
  const headers = { [LEASE_HEADER.toLowerCase()]: leaseId }

  const end = async () => {
    await ask('leases.end', { leaseId }, { headers, timeoutMs: AROUND_MS, isContinued: true }).catch(
      (error: unknown) => {
        // Its time was over before: the phone is free.
        if (!isOver(error)) throw error
      },
    )
    held.delete(reserved)
  }
  const release = (): Promise<void> => {
    released ??= end().catch((error: unknown) => {
      // The phone is still reserved, so the next call tries again.
      released = undefined
      throw error
    })
    return released
  }
  const reserved: Lease = {
    ...createPhone(executor, { deviceId, operatorPackage, leaseId }),
    deviceId,
    id: leaseId,
    get expiresAt() {
      return expiresAt
    },
    async extend(ms) {
      const answer = await ask('leases.extend', { leaseId, forMs: ms }, { timeoutMs: AROUND_MS })
      expiresAt = answer.lease.expiresAt
      return expiresAt
    },
    release,
    [Symbol.asyncDispose]: release,
  }
  held.add(reserved)
  if (!signal.aborted) return reserved
  // The phone would be kept for nobody.
  await release().catch((error: unknown) => {
    const message = `The call was aborted, but the reservation ${leaseId} may go on until its time is over.`
    throw cancelled('unknown', { message, details: { leaseId, cause: String(error) } })
  })
  throw cancelled(false, { message: 'The call was aborted, and the reservation was given back.' })
}
