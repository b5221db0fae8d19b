/** The lists that phones may still be at work on, where every host of the fleet can look them up: whoever owns a phone next asks for its list. */
import * as v from 'valibot'
import { openObject } from '../../contracts/json/objects.ts'
import { count } from '../../contracts/json/scalars.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { readableOr } from '../../runtime/journal/reading.ts'
import { askedRequest } from '../../service/executions/evidence/ask-phone.ts'
import { recordedExecution } from '../../service/executions/recorded.ts'
import type { FleetConnection } from '../servers/connection.ts'
import type { Names } from '../servers/names.ts'
import { isFromSender } from './message-origin.ts'

/** The facts by which its operator app is asked. */
export const askedEntries = {
  operatorPackage: v.string(),
  wireId: v.string(),
  nonce: v.string(),
  dispatchedAt: count,
  timeoutMs: count,
  stepCount: count,
}

const SentList = openObject({
  executionId: v.string(),
  host: v.string(),
  ...askedEntries,
  steps: v.array(v.string()),
})
export type SentList = v.InferOutput<typeof SentList>

/** For an execution that was sent and of which nobody knows the end. Undefined where no phone can be asked about it. */
export const sentListOf = (
  journal: Pick<Journal, 'records' | 'last' | 'body'>,
  receipt: StoredReceipt,
  host: string,
): { phone: string; list: SentList } | undefined => {
  const recorded = readableOr(undefined, () => recordedExecution(journal, receipt))
  const request = recorded && askedRequest(receipt, recorded)
  const phone = recorded?.dispatch.phone
  if (!request || phone === undefined) return undefined
  const { executionId } = receipt
  const { actions } = recorded.dispatch.execution
  const first = recorded.lastStep ?? 0
  const steps = actions.slice(first, first + request.stepCount).map(({ id }) => id)
  return { phone, list: { executionId, host, ...request, steps } }
}

/** The newest of all hosts, for a phone; undefined when none has sent it anything lately that can be asked for. */
export const lookupSentList = async (
  { jsm }: Pick<FleetConnection, 'jsm'>,
  names: Names,
  phone: string,
): Promise<SentList | undefined> => {
  const found = await jsm.streams.getMessage(names.receiptStream, { last_by_subj: names.sentList('*', phone) })
  if (!found || !isFromSender(found.header, 'live')) return undefined
  const read = v.safeParse(SentList, found.json<unknown>())
  return read.success ? read.output : undefined
}
