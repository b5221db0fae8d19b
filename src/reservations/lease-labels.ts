/** What a reservation tells of itself beside its id: its note, and whose process keeps it. They stand in its grant. */
import { hostname, userInfo } from 'node:os'
import type { Lease as Grant } from '../contracts/journal.ts'
import type { Lease } from '../contracts/lease.ts'

export type LeaseLabels = Pick<Lease, 'note' | 'keptBy' | 'flowRunId'>

/** A user without an entry in the system's list has no name. */
const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

/** For the grant of a reservation that this process keeps. */
export const labelsFor = (note: string | undefined) => ({
  user: userName(),
  machine: hostname(),
  ...(note === undefined ? {} : { text: note }),
})

/** Grants of older versions have none. */
export const labelsIn = ({
  note: { text, user, machine, flowRunId },
  holder: { pid },
}: Pick<Grant, 'note' | 'holder'>): LeaseLabels => ({
  ...(typeof text === 'string' ? { note: text } : {}),
  ...(typeof flowRunId === 'string' ? { flowRunId } : {}),
  ...(typeof user === 'string' && typeof machine === 'string' ? { keptBy: { user, machine, pid } } : {}),
})
