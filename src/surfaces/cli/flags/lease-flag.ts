/** `--lease` and SVC_LEASE: the reservation that a command belongs to. */
import { isId, LEASE_ENV } from '../../../contracts/records/ids.ts'
import { type CommandContext, usage } from '../command.ts'

/** Undefined where the command belongs to none. */
export const leaseOf = ({ text, env }: Pick<CommandContext, 'text' | 'env'>): string | undefined => {
  const flag = text('lease')
  const given = flag ?? (env[LEASE_ENV]?.trim() || undefined)
  if (given === undefined) return undefined
  if (isId(given)) return given
  throw usage(`${flag === undefined ? LEASE_ENV : '--lease'} must be the leaseId of a reservation; got "${given}".`, {
    hint: 'svc lease list shows the reservations that are held.',
  })
}
