/** Says in the words of people who told how a step or an execution ended, and when. */
import { duration } from '../duration.ts'
import type { Receipt } from './receipt.ts'

type KnownStep = NonNullable<Receipt['steps']>[number]

const TOLD = { operator: 'told by the phone', log: 'read in the log of the phone' } as const

interface Telling {
  source?: KnownStep['source'] | undefined
  at?: number | undefined
}

/** Prints a moment: in local time for people, in ISO for programs. */
export type TimeText = (at: number) => string

export const isoTime: TimeText = at => new Date(at).toISOString()

/** "told by the phone at 16:36:37": from whom it is known, and when that was. Undefined for what the answer itself says. */
export const toldBy = ({ source, at }: Telling, time: TimeText): string | undefined => {
  if (source === undefined || source === 'result') return undefined
  const when = at === undefined ? '' : ` at ${time(at)}`
  return source === 'progress' ? `recorded${when} as it ended` : `${TOLD[source]}${when}`
}

/** "told by the phone at 16:36:37, 7.7 s after it was sent": by whom the whole is decided, where its answer never came. */
export const decidedBy = (
  { evidence, dispatchedAt }: Pick<Receipt, 'evidence' | 'dispatchedAt'>,
  time: TimeText,
): string | undefined => {
  if (evidence?.outcome === undefined) return undefined
  const { source, at } = evidence
  if (source === 'progress') return 'by the record that svc kept of its steps'
  const later = dispatchedAt === undefined ? '' : `, ${duration(at - dispatchedAt)} after it was sent`
  return `${toldBy(evidence, time)}${later}`
}
