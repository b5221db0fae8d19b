/** The tool that reserves a device, and extends, ends and lists reservations. */
import * as v from 'valibot'
import { failure } from '../../../contracts/failures/failures.ts'
import { integer } from '../../../contracts/json/scalars.ts'
import { LEASE_MS, LEASE_WAIT_MS } from '../../../contracts/limits/reservation-limits.ts'
import type { Reservation } from '../../../contracts/reservation.ts'
import { deviceIdFor } from '../../../service/executions.ts'
import { done, failed } from '../answers.ts'
import { targetOf } from '../perform.ts'
import { MOVES, type Tool, tool } from '../tool.ts'

const lineOf = ({ leaseId, deviceId, expiresAt, sessionId, note }: Reservation): string => {
  const session = sessionId === undefined ? '' : ` session ${sessionId}`
  const text = note === undefined ? '' : ` ${JSON.stringify(note)}`
  return `${leaseId} ${deviceId} until ${new Date(expiresAt).toISOString()}${session}${text}`
}

const refused = (problem: string) => failed(failure('USAGE', `lease: ${problem}`), { dispatched: false })

/** Judged here: ranges in the list of tools would cost every client tokens. */
const timesProblem = (forMs: number | undefined, waitMs = 0): string | undefined => {
  if (!v.is(integer(LEASE_MS), forMs)) return `needs forMs, from ${LEASE_MS.min} to ${LEASE_MS.max}`
  return v.is(integer(LEASE_WAIT_MS), waitMs) ? undefined : `takes a waitMs of at most ${LEASE_WAIT_MS.max}`
}

const lease = tool({
  name: 'lease',
  description: 'Reserve a device for forMs: others are refused. Then give the leaseId as device.',
  annotations: MOVES,
  async run({ action, device, forMs, waitMs, note }, { deps, signal }) {
    const { service } = deps
    const call = { context: { caller: 'mcp' }, signal, leave: signal } as const
    if (action === 'list') {
      const listed = await service['leases.list']({}, call)
      if (!listed.ok) return failed(listed.error, { dispatched: false })
      const { leases } = listed.value
      return done(leases.map(lineOf).join('\n') || 'none', { leases })
    }
    const wrong = action === 'end' ? undefined : timesProblem(forMs, waitMs)
    if (wrong !== undefined) return refused(`${action} ${wrong}`)
    if (action === 'create') {
      const wanted = {
        forMs: forMs ?? 0,
        ...(waitMs === undefined ? {} : { waitMs }),
        ...(note === undefined ? {} : { note }),
      }
      const chosen = await deviceIdFor(service, device?.trim() ? device : deps.deviceId, call)
      if (!chosen.ok) return failed(chosen.error, { dispatched: false })
      const made = await service['leases.create']({ device: chosen.value, ...wanted }, call)
      return made.ok
        ? done(lineOf(made.value.lease), { lease: made.value.lease })
        : failed(made.error, { dispatched: false })
    }
    const { leaseId } = targetOf(device, deps)
    if (leaseId === undefined) return refused(`${action} needs the leaseId as device`)
    const changed =
      action === 'end'
        ? await service['leases.end']({ leaseId }, call)
        : await service['leases.extend']({ leaseId, forMs: forMs ?? 0 }, call)
    if (!changed.ok) return failed(changed.error, { dispatched: false })
    const { lease: now } = changed.value
    return done(action === 'end' ? `ended ${leaseId}` : lineOf(now), { lease: now })
  },
})

export const LEASE_TOOLS: readonly Tool[] = [lease]
