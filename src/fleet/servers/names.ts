/** Every subject, bucket and stream of a fleet. Nothing a caller says becomes part of one but by its digest. */
import { createHash } from 'node:crypto'

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

export const namesOf = (fleet: string) => {
  const root = `svc.${fleet}`
  const kept = `svc_${fleet}`
  return {
    fleet,
    /** Beats of a host; `*` for those of all. Core messages, kept by nobody. */
    beat: (host: string) => `${root}.beat.${host}`,
    /** Requests from one host (or client) to another: only `from` may publish there, only `to` listens. */
    request: (to: string, from: string) => `${root}.to.${to}.${from}`,
    /** Replies to `from` arrive below this subject, the prefix of its inboxes. */
    inbox: (from: string) => `${root}.re.${from}`,
    /** The mirror of the journal of a host, and the stream that keeps those of all. */
    log: (host: string) => `${root}.log.${host}`,
    logStream: `${kept}_log`,
    /** The newest receipt of each execution, and the stream that keeps them. */
    receipt: (host: string, executionId: string) =>
      `${root}.receipt.${host}.${executionId === '*' ? '*' : digest(executionId)}`,
    /** The newest list of a host that a phone may still be at work on, in the same stream. */
    sentList: (host: string, phone: string) => `${root}.receipt.${host}.phone_${digest(phone)}`,
    receiptStream: `${kept}_receipts`,
    /** Key-value buckets: what hosts tell of themselves; leases of hosts and owners of phones; Idempotency-Keys. */
    hosts: `${kept}_hosts`,
    owners: `${kept}_owners`,
    keys: `${kept}_keys`,
    /** Keys of `owners`. */
    lease: (host: string) => `lease.${host}`,
    /** Says of which process of a host nobody needs to hear any more. */
    forgotten: (host: string) => `forgotten.${host}`,
    phone: (key: string) => `phone.${digest(key)}`,
    /** A key of `keys`. */
    idempotency: (key: string) => digest(key),
  }
}

export type Names = ReturnType<typeof namesOf>
