/** `last` and `last~N` in the place of an execution id, and ranges of both: the newest accepted executions of this home. */

import { RECEIPTS_HINT, wasAccepted } from '../../contracts/executions/receipt.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { LIST_LIMIT } from '../../contracts/limits/limits.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { readableOr } from '../../runtime/journal/reading.ts'
import { once } from '../../runtime/once.ts'

type Ids = Pick<Journal, 'receiptIds' | 'receipt'>

type Found = { ok: true; ids: readonly string[] } | { ok: false; error: ErrorObject }

const LAST = /^last(?:~(\d+))?$/
const RANGE = /^(.+?)\.\.(.+)$/

const notFound = (text: string, message: string): Found => ({
  ok: false,
  error: failure('EXECUTION_NOT_FOUND', message, { details: { executionId: text }, hint: RECEIPTS_HINT }),
})

const misused = (text: string): Found => ({
  ok: false,
  error: failure('USAGE', `${JSON.stringify(text)} does not say how many executions before the last one are meant.`, {
    hint: 'Give a whole number behind last~, such as last~1 for the one before the last.',
  }),
})

const counted = (count: number): string =>
  count === 0 ? 'none was accepted' : count === 1 ? 'one was accepted' : `${count} were accepted`

/** The phone was still at work on the list of an earlier one: nothing was sent, and the earlier one is what matters. */
const isMereRefusal = ({ dispatchedAt, result }: StoredReceipt): boolean =>
  dispatchedAt === undefined && result?.ok === false && result.error.code === 'EXECUTION_CONFLICT_IN_FLIGHT'

/** True for a text that must be looked up; every other text is an id already. */
export const isRelative = (text: string): boolean => /^last(~|$)/.test(text) || text.includes('..')

/**
 * The ids that the text stands for, oldest first: `last`, `last~2` (two before it), `last~3..last`, or an id. With a device,
 * those of that device count. Throws JournalError.
 */
export const relativeExecutions = (journal: Ids, text: string, deviceId?: string): Found => {
  const ids = once(() => journal.receiptIds({ limit: LIST_LIMIT.max, ...(deviceId === undefined ? {} : { deviceId }) }))
  /** Executions that wait, left the queue, or found the phone at work do not count. */
  const newest = (limit: number): string[] => {
    const found: string[] = []
    for (const id of ids()) {
      if (found.length === limit) break
      const receipt = readableOr(undefined, () => journal.receipt(id))
      if (receipt === undefined || (wasAccepted(receipt) && !isMereRefusal(receipt))) found.push(id)
    }
    return found
  }
  const where = deviceId === undefined ? '' : ` on ${deviceId}`

  /** How many executions are newer. */
  const placeOf = (part: string): number | Found => {
    const last = LAST.exec(part)
    if (!last && part.startsWith('last~')) return misused(part)
    if (!last) {
      const place = newest(LIST_LIMIT.max).indexOf(part)
      return place < 0
        ? notFound(part, `${JSON.stringify(part)} is none of the ${LIST_LIMIT.max} newest executions${where}.`)
        : place
    }
    const back = Number(last[1] ?? 0)
    if (back >= LIST_LIMIT.max) return notFound(part, `${part} goes further back than ${LIST_LIMIT.max} executions.`)
    const count = newest(back + 1).length
    return count > back ? back : notFound(part, `There is no execution ${part}${where}: ${counted(count)}.`)
  }

  const [, first, last] = RANGE.exec(text) ?? []
  const places = [first ?? text, last ?? text].map(placeOf)
  const [from, to] = places
  const missing = places.find(place => typeof place === 'object')
  if (missing || typeof from !== 'number' || typeof to !== 'number') return missing as Found
  if (from < to) {
    return notFound(
      text,
      `The range ${text} ends before it begins: name the older execution first, as in last~3..last.`,
    )
  }
  return {
    ok: true,
    ids: newest(from + 1)
      .slice(to)
      .reverse(),
  }
}

/** The same for a single execution; an id is passed on as it is: what has it may be another host. */
export const namedExecution = (
  journal: Ids,
  text: string,
  deviceId?: string,
): { ok: true; executionId: string } | { ok: false; error: ErrorObject } => {
  if (!isRelative(text)) return { ok: true, executionId: text }
  const found = relativeExecutions(journal, text, deviceId)
  if (!found.ok) return found
  const [executionId = '', ...more] = found.ids
  if (more.length === 0) return { ok: true, executionId }
  return { ok: false, error: failure('USAGE', `One execution is wanted here; ${text} names ${found.ids.length}.`) }
}
