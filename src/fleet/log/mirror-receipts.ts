/** The newest receipt of each execution, where every host of the fleet can look it up. */
import type { Receipt } from '../../contracts/executions/receipt.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { readableOr } from '../../runtime/journal/reading.ts'
import type { FleetConnection } from '../servers/connection.ts'
import type { Names } from '../servers/names.ts'
import type { Storage } from '../servers/put.ts'
import { isFromSender } from './message-origin.ts'

/** A receipt with a larger result travels without it. */
const RESULT_BYTES_MAX = 64 * 1_024
/** Sequences of messages that are remembered; those of others are read. */
const KNOWN_MAX = 10_000
const AT_ONCE = 16

/** The position in the journal at which it was read. */
const AS_OF_HEADER = 'Svc-As-Of'

export type FleetReceipt = Receipt & {
  host: string
  skillRunId?: string
  /** The result is with the host: it is too large for this. */
  resultOmitted?: true
}

const toFleet = (host: string, { idempotency: _, skillRunId, result, ...receipt }: StoredReceipt): FleetReceipt => {
  const isSmall = result === undefined || Buffer.byteLength(JSON.stringify(result)) <= RESULT_BYTES_MAX
  return {
    ...receipt,
    host,
    ...(skillRunId === undefined ? {} : { skillRunId }),
    ...(result !== undefined && isSmall ? { result } : {}),
    ...(isSmall ? {} : { resultOmitted: true as const }),
  }
}

export const createReceiptMirror = (
  storage: Storage,
  journal: Pick<Journal, 'receipt' | 'head'>,
  names: Names,
  host: string,
) => {
  const known = new Map<string, number>()

  const remember = (subject: string, seq: number) => {
    known.delete(subject)
    known.set(subject, seq)
    if (known.size <= KNOWN_MAX) return
    for (const oldest of known.keys()) {
      known.delete(oldest)
      return
    }
  }

  const publish = async (executionId: string): Promise<void> => {
    const asOf = journal.head()
    const receipt = readableOr(undefined, () => journal.receipt(executionId))
    if (!receipt) return
    const subject = names.receipt(host, executionId)
    const data = JSON.stringify(toFleet(host, receipt))
    const headers = [[AS_OF_HEADER, String(asOf)]] as const
    let expected = known.get(subject) ?? 0
    for (;;) {
      const put = await storage.put({ stream: names.receiptStream, subject, data, headers, expected })
      if (put.kind === 'stored') return remember(subject, put.seq)
      // One from before this process, or from a publish that counted as failed: only a later one may stay.
      expected = put.last?.seq ?? 0
      const isOurs = isFromSender(put.last?.headers, 'live')
      const theirs = isOurs ? Number(put.last?.headers.get(AS_OF_HEADER)) : 0
      if (put.last && theirs > asOf && theirs <= journal.head()) return remember(subject, expected)
    }
  }

  return async (executionIds: Iterable<string>): Promise<void> => {
    const left = [...executionIds]
    const worker = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) await publish(id)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }
}

/**
 * Reads the receipt that the fleet keeps; undefined when no host has mirrored one yet. Rejects when that cannot be
 * found out: the receipt may exist all the same.
 */
export const lookupReceipt = async (
  { jsm }: Pick<FleetConnection, 'jsm'>,
  names: Names,
  executionId: string,
): Promise<FleetReceipt | undefined> => {
  // The leader: another server may not have the newest ones yet.
  const found = await jsm.streams.getMessage(names.receiptStream, { last_by_subj: names.receipt('*', executionId) })
  if (!found) return undefined
  if (!isFromSender(found.header, 'live')) throw new Error('another host has overwritten the receipt')
  return found.json<FleetReceipt>()
}
