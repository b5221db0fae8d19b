/** The reservations of the devices of this host. */
import type { ErrorObject } from '../../contracts/error.ts'
import { asFailure } from '../../executions/refusals.ts'
import type { LeaseAnswer } from '../../reservations/reservations.ts'
import { failed, type Result, type Service, success } from '../service.ts'
import type { LocalDeps } from './deps.ts'
import { answering } from './run.ts'

type Requests = 'leases.create' | 'leases.extend' | 'leases.end' | 'leases.list'

/** Bounds finding the device and opening the link. */
const OPEN_MS = 20_000

const CONFLICT = 'EXECUTION_CONFLICT_IN_FLIGHT'

/** In a fleet a conflict names the host whose process has the device. */
const located = (error: ErrorObject, host: string | undefined): ErrorObject =>
  host === undefined || error.code !== CONFLICT ? error : { ...error, details: { host, ...error.details } }

export const localLeases = ({ openDevice, reservations, clock, host, note }: LocalDeps): Pick<Service, Requests> => {
  const answered = (answer: LeaseAnswer) =>
    answer.ok
      ? success({ ok: true as const, lease: answer.lease }, { deviceId: answer.lease.deviceId })
      : failed(located(answer.error, host))
  const asking = <T>(work: () => Promise<Result<T>>) =>
    answering<T>(() => work(), { what: 'a request about a reservation', note })

  return {
    'leases.create': ({ device, forMs, waitMs = 0, sessionId = null, note: text }, { signal, leave = signal }) =>
      asking(async () => {
        const call = { deadline: clock.now() + OPEN_MS, signal }
        const began = clock.elapsed()
        const reached = await openDevice(device, call).catch(thrown => ({
          ok: false as const,
          error: asFailure(thrown),
        }))
        if (!reached.ok) return failed(reached.error)
        const { deviceId, link } = reached
        const phone = await reservations()
          .phoneOf(link, call)
          .then(
            key => ({ ok: true as const, key }),
            (thrown: unknown) => ({ ok: false as const, error: asFailure(thrown) }),
          )
        if (!phone.ok) return failed(phone.error, { deviceId })
        const leftMs = Math.max(0, Math.floor(waitMs - (clock.elapsed() - began)))
        const waits = { waitMs: waitMs === 0 ? 0 : Math.max(1, leftMs), leave }
        const wanted = { deviceId, phone: phone.key, forMs, sessionId, note: text }
        return answered(await reservations().create({ ...wanted, ...waits }))
      }),
    'leases.extend': ({ leaseId, forMs }) => asking(async () => answered(await reservations().extend(leaseId, forMs))),
    'leases.end': ({ leaseId }) => asking(async () => answered(await reservations().end(leaseId))),
    'leases.list': () =>
      asking(async () => {
        const leases = reservations().list()
        return success({ ok: true as const, leases, count: leases.length })
      }),
  }
}
