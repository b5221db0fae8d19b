/** Every subject, bucket and stream of a fleet. Nothing a caller says becomes part of one but by its digest. */
import { createHash } from 'node:crypto'

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

export interface Names {
  fleet: string
  /** Beats of a host; `*` for those of all. Core messages, kept by nobody. */
  beat(host: string): string
  /** Requests from one host (or client) to another: only `from` may publish there, only `to` listens. */
  request(to: string, from: string): string
  /** Replies to `from` arrive below this subject, the prefix of its inboxes. */
  inbox(from: string): string
  /** The mirror of the journal of a host, and the stream that keeps those of all. */
  log(host: string): string
  logStream: string
  /** The newest receipt of each execution, and the stream that keeps them. */
  receipt(host: string, executionId: string): string
  receiptStream: string
  /** Key-value buckets: what hosts tell of themselves; leases of hosts and owners of phones; Idempotency-Keys. */
  hosts: string
  owners: string
  keys: string
  /** Keys of `owners`. */
  lease(host: string): string
  phone(key: string): string
  /** Says of which process of a host nobody needs to hear any more. */
  forgotten(host: string): string
  /** A key of `keys`. */
  idempotency(key: string): string
}

export const namesOf = (fleet: string): Names => {
  const root = `svc.${fleet}`
  const kept = `svc_${fleet}`
  return {
    fleet,
    beat: host => `${root}.beat.${host}`,
    request: (to, from) => `${root}.to.${to}.${from}`,
    inbox: from => `${root}.re.${from}`,
    log: host => `${root}.log.${host}`,
    logStream: `${kept}_log`,
    receipt: (host, executionId) => `${root}.receipt.${host}.${executionId === '*' ? '*' : digest(executionId)}`,
    receiptStream: `${kept}_receipts`,
    hosts: `${kept}_hosts`,
    owners: `${kept}_owners`,
    keys: `${kept}_keys`,
    lease: host => `lease.${host}`,
    forgotten: host => `forgotten.${host}`,
    phone: key => `phone.${digest(key)}`,
    idempotency: key => digest(key),
  }
}
