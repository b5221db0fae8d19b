/** Section on receipts, Idempotency-Key: a key is taken by the record that accepts the execution, and kept in its receipt. */
import { createHash } from 'node:crypto'
import { DEFAULT_OPERATOR_PACKAGE } from '../../contracts/json/literals.ts'
import { IDEMPOTENCY_KEEP_MS } from '../../contracts/limits/limits.ts'
import type { IdempotencyKey, Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import type { ExecutionOrder } from './order.ts'
import { digestOfPaths, withoutPicturePaths } from './picture-paths.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Keys in a fixed order, so that two ways to write the same payload are the same payload. */
const stable = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** A host that sent the execution here kept the paths of its pictures: the request is the same with and without them. */
export const idempotencyOf = (key: string, request: ExecutionOrder): IdempotencyKey => {
  const { deviceId, operatorPackage, view } = request
  const { execution, named } = withoutPicturePaths(request.execution)
  const picturePaths = request.picturePaths ?? digestOfPaths(named)
  return {
    key: sha256(key),
    payload: sha256(
      stable({
        execution,
        deviceId: deviceId?.trim() || null,
        operatorPackage: operatorPackage ?? DEFAULT_OPERATOR_PACKAGE,
        ...(view && Object.values(view).some(value => value !== undefined) ? { view } : {}),
        ...(picturePaths === undefined ? {} : { picturePaths }),
      }),
    ),
  }
}

/** The key of a chosen id: a request of another payload cannot use the id. */
export const idKey = (executionId: string, request: ExecutionOrder): IdempotencyKey => ({
  key: ownKey('id', executionId).key,
  payload: idempotencyOf('', request).payload,
})

/** Undefined where the receipt does not tell the payload. */
const payloadIn = ({ idempotency }: StoredReceipt): string | undefined =>
  idempotency && ![idempotency.key, ''].includes(idempotency.payload) ? idempotency.payload : undefined

/** True when the execution that has the chosen id is provably another one. */
export const isOfOtherRequest = (first: StoredReceipt, request: ExecutionOrder): boolean => {
  const payload = payloadIn(first)
  return payload !== undefined && payload !== idempotencyOf('', request).payload
}

/** Names something that svc itself must run once. No caller can write the key: theirs hold visible characters only. */
export const ownKey = (kind: 'resume' | 'id', executionId: string): IdempotencyKey => {
  const key = sha256(`\0${kind}\0${executionId}`)
  return { key, payload: key }
}

/** After a repair of the journal, nothing but the key may be left of an execution: then no payload is another one. */
export const isOfOtherPayload = ({ idempotency }: StoredReceipt, { payload }: IdempotencyKey): boolean =>
  idempotency?.payload !== '' && idempotency?.payload !== payload

/** The execution that has the key now. Throws JournalError. */
export const holderOf = (
  journal: Pick<Journal, 'receiptByKey'>,
  { key }: IdempotencyKey,
  now: number,
): StoredReceipt | undefined => {
  const receipt = journal.receiptByKey(key)
  return receipt && now - receipt.acceptedAt < IDEMPOTENCY_KEEP_MS ? receipt : undefined
}

/** The same for a key as the caller wrote it. */
export const executionUnder = (journal: Pick<Journal, 'receiptByKey'>, key: string, now: number) =>
  holderOf(journal, { key: sha256(key), payload: '' }, now)
