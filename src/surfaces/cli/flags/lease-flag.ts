/** `--lease` and SVC_LEASE: the reservation that a command belongs to. */
import { isId, LEASE_ENV } from '../../../contracts/records/ids.ts'
import { type CommandContext, usage } from '../command.ts'

/** Undefined where the command belongs to none. */
export const leaseOf = ({ text, env }: Pick<CommandContext, 'text' | 'env'>): string | undefined => {
  const flag = text('lease')
  const leaseId = flag ?? (env[LEASE_ENV]?.trim() || undefined)
  if (leaseId === undefined) return undefined
  if (isId(leaseId)) return leaseId
  throw usage(`${flag === undefined ? LEASE_ENV : '--lease'} must be the leaseId of a reservation; got "${leaseId}".`, {
    hint: 'svc lease list shows the reservations that are held.',
  })
}
