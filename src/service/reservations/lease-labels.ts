/** The labels that a reservation writes into its grant beside its id: its note, and whose process keeps it. */
import { hostname, userInfo } from 'node:os'

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
