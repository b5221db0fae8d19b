/** The newest receipt of each execution, where every host of the fleet can look it up. */
import { outcomeOf } from '../../contracts/executions/outcome-of.ts'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { readableOr } from '../../runtime/journal/reading.ts'
import { toldSteps } from '../../service/executions/completed-steps.ts'
import type { FleetConnection } from '../servers/connection.ts'
import type { Names } from '../servers/names.ts'
import type { Storage } from '../servers/put.ts'
import { isFromSender } from './message-origin.ts'
import { type SentList, sentListOf } from './sent-lists.ts'

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

const toFleet = (host: string, stored: StoredReceipt): FleetReceipt => {
  const { idempotency: _, skillRunId, result, ...receipt } = stored
  const isSmall = result === undefined || Buffer.byteLength(JSON.stringify(result)) <= RESULT_BYTES_MAX
  return {
    ...receipt,
    host,
    outcome: outcomeOf(stored),
    ...(skillRunId === undefined ? {} : { skillRunId }),
    ...(result !== undefined && isSmall ? { result } : {}),
    ...(isSmall ? {} : { resultOmitted: true as const }),
  }
}

export const createReceiptMirror = (storage: Storage, journal: Journal, names: Names, host: string) => {
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

  /** Stores the newest form: where two processes of this host write, the one that has read more of the journal is right. */
  const store = async (subject: string, value: FleetReceipt | SentList, asOf: number): Promise<void> => {
    const data = JSON.stringify(value)
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
    const sent = new Map<string, SentList & { asOf: number }>()
    const publish = async (executionId: string): Promise<void> => {
      const asOf = journal.head()
      const receipt = readableOr(undefined, () => journal.receipt(executionId))
      if (!receipt) return
      const isInDoubt = receipt.dispatchedAt !== undefined && outcomeOf(receipt) === 'unknown'
      const told = isInDoubt ? readableOr({}, () => toldSteps(() => journal, receipt)) : {}
      const found = isInDoubt ? sentListOf(journal, receipt, host) : undefined
      if (found && found.list.dispatchedAt >= (sent.get(found.phone)?.dispatchedAt ?? 0))
        sent.set(found.phone, { ...found.list, asOf })
      await store(names.receipt(host, executionId), toFleet(host, { ...receipt, ...told }), asOf)
    }
    const worker = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) await publish(id)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    const lists = Array.from(sent, ([phone, { asOf, ...list }]) => store(names.sentList(host, phone), list, asOf))
    await Promise.all(lists)
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
  const receipt = found.json<FleetReceipt>()
  // Hosts of earlier versions do not say it.
  return { outcome: outcomeOf(receipt), ...receipt }
}
