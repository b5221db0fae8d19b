/** Idempotency-Keys of which a journal knows that it does not know them: their receipts were lost with an earlier file. */
import { IDEMPOTENCY_KEEP_MS } from '../../contracts/limits.ts'
import type { Clock } from '../clock.ts'
import type { Troubles } from '../troubles.ts'
import { isDamage } from './fault.ts'
import { keysLostAt, LOSSES } from './loss.ts'
import type { Records } from './records.ts'

/** Keys that were used before this time may run again; undefined once no key is that old. */
export const keysUnknownBefore = (records: Pick<Records, 'list'>, now: number): number | undefined => {
  try {
    const times = records.list({ actor: LOSSES }).flatMap(record => keysLostAt(record) ?? [])
    return times.filter(at => now - at < IDEMPOTENCY_KEEP_MS).at(-1)
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

export const unknownKeysMessage = (before: number): string =>
  `Idempotency-Keys that were used before ${new Date(before).toISOString()} may be unknown, and such a request may run again: look at the device before you repeat it.`

const UNKNOWN_KEYS = 'receipts were lost with an earlier journal file'

export interface UnknownKeysOptions {
  records: Pick<Records, 'list'>
  clock: Pick<Clock, 'now' | 'at'>
  troubles: Pick<Troubles, 'tell' | 'over'>
}

/** Says it in GET /health for as long as it matters. Returns the end of it. */
export const tellUnknownKeys = ({ records, clock, troubles }: UnknownKeysOptions): (() => void) => {
  const before = keysUnknownBefore(records, clock.now())
  if (before === undefined) return () => {}
  troubles.tell(UNKNOWN_KEYS, unknownKeysMessage(before))
  const over = clock.at(before + IDEMPOTENCY_KEEP_MS, () => troubles.over(UNKNOWN_KEYS), { idle: true })
  return () => over.cancel()
}
