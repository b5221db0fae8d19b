/** Defects of reservations. */
import type { Planted } from '../planted/planted.ts'

export const PLANTED_IN_RESERVATIONS: readonly Planted[] = [
  {
    law: 4,
    name: 'a stranger may begin something on a reserved phone',
    file: 'src/service/reservations/unless-reserved.ts',
    from: 'if (leaseId === undefined) return reserved',
    to: 'if (leaseId === undefined) return undefined',
    seed: 1,
  },
  {
    law: 4,
    name: 'whoever names any lease may begin something',
    file: 'src/service/reservations/unless-reserved.ts',
    from: 'if (isHeld) return undefined',
    to: 'if (leaseId) return undefined',
    seed: 1,
  },
  {
    law: 4,
    name: 'a lease that is over acts while its process is frozen',
    file: 'src/service/reservations/read-reservation.ts',
    from: 'return clock.now() < expiresAt',
    to: 'return expiresAt > 0',
    seed: 1,
  },
]
