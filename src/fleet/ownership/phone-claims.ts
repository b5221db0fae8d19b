/** Decides who owns a phone: one key for each, written under its revision. */
import type { KV } from '@nats-io/kv'
import * as v from 'valibot'
import { openObject } from '../../contracts/json/objects.ts'
import { count } from '../../contracts/json/scalars.ts'
import { FENCE_AFTER_MS } from '../../contracts/limits/fleet-limits.ts'
import type { Fencing, HostClaimKeeper } from '../membership/host-claim.ts'
import { cellOf } from '../servers/compare-and-set.ts'
import type { Names } from '../servers/names.ts'

export const PhoneRecord = openObject({
  phone: v.string(),
  host: v.string(),
  instance: v.string(),
  /** Grows with each claim, also where the bucket was made anew. */
  epoch: count,
  state: v.picklist(['held', 'released']),
})
export type PhoneRecord = v.InferOutput<typeof PhoneRecord>

export type ClaimedPhone =
  | { kind: 'claimed'; epoch: number }
  | { kind: 'held'; host: string; epoch: number }
  /** Nothing is decided; ask again. */
  | { kind: 'undecided' }

export interface PhoneClaimsOptions {
  owners: () => KV
  names: Names
  host: string
  instance: string
  lease: Pick<HostClaimKeeper, 'isProven'>
  fencing: Fencing
  /** How long ago the bucket was made, by the clock of its servers. */
  bucketAgeMs(): Promise<number>
  /** How long ago this host was first a member of the fleet; 0 for one that never was. */
  memberForMs(): number
}

export const createPhoneClaims = ({
  owners,
  names,
  host,
  instance,
  lease,
  fencing,
  bucketAgeMs,
  memberForMs,
}: PhoneClaimsOptions) => {
  const cell = (phone: string) => cellOf(owners(), names.phone(phone), PhoneRecord)
  /** The newest revision that this process has read or written. */
  const newest = new Map<string, number>()
  /** The revision at which a claim was written that nobody acknowledged: it may be stored yet. */
  const pending = new Map<string, number>()

  /** Phones that this process has claimed, and has neither given back nor seen with another host. */
  const claimed = new Set<string>()

  /**
   * True when a phone with no record is free. In a recreated bucket, its owner may not know yet that its record is
   * lost, and its lease may still be proven.
   */
  const isSettled = async (): Promise<boolean> => (await bucketAgeMs()) > FENCE_AFTER_MS

  /** The bucket is younger than the fleet: there was another one, in which any phone may have had an owner. */
  const isRecreated = async (): Promise<boolean> => memberForMs() > (await bucketAgeMs())

  const read = async (phone: string) => {
    const found = await cell(phone).read()
    newest.set(phone, Math.max(newest.get(phone) ?? 0, found.revision))
    return found
  }

  const write = async (phone: string, value: PhoneRecord, revision: number) => {
    const written = await cell(phone).write(value, revision)
    if (written.kind === 'written') {
      newest.set(phone, Math.max(newest.get(phone) ?? 0, written.revision))
      pending.delete(phone)
    }
    // A conflict says nothing about an earlier write: that one may be what is in the way.
    if (written.kind === 'undecided') pending.set(phone, revision)
    return written.kind
  }

  /** An earlier instance of this host counts as over: this one has claimed its lease. */
  const isFree = async (found: PhoneRecord | undefined): Promise<boolean> =>
    !found || found.state === 'released' || found.host === host || (await fencing.isOver(found.host, found.instance))

  return {
    /** `known` is the newest epoch this host knows of. */
    async claim(phone: string, known: number): Promise<ClaimedPhone> {
      const { value, revision } = await read(phone)
      if (!(await isFree(value))) {
        claimed.delete(phone)
        return { kind: 'held', host: value?.host ?? '', epoch: value?.epoch ?? 0 }
      }
      const mayHaveOwner = !value && !claimed.has(phone) && (known > 0 || (await isRecreated()))
      if (mayHaveOwner && !(await isSettled())) return { kind: 'undecided' }
      if (!lease.isProven()) return { kind: 'undecided' }
      const epoch = Math.max(known, value?.epoch ?? 0) + 1
      const written = await write(phone, { phone, host, instance, epoch, state: 'held' }, revision)
      if (written !== 'written') return { kind: 'undecided' }
      claimed.add(phone)
      return { kind: 'claimed', epoch }
    },
    /** Finds out if the phone can be claimed or who holds it. Fences a holder that has been silent for too long. */
    async look(
      phone: string,
    ): Promise<{ kind: 'free' } | { kind: 'held'; host: string; epoch: number } | { kind: 'undecided' }> {
      const { value } = await read(phone)
      if (!value && !(await isSettled())) return { kind: 'undecided' }
      if (await isFree(value)) return { kind: 'free' }
      return { kind: 'held', host: value?.host ?? '', epoch: value?.epoch ?? 0 }
    },
    /** True once this process surely holds it no more, and no write of it can bring that back. */
    async release(phone: string) {
      claimed.delete(phone)
      const { value, revision } = await read(phone)
      const isOwn = value?.instance === instance && value.state === 'held'
      const isStale = revision < (newest.get(phone) ?? 0)
      if (!isOwn && !isStale && pending.get(phone) !== revision) return true
      // Whoever wrote it: at the revision that was read it says the same again, and no older write can be stored there.
      const released: PhoneRecord = { phone, host, instance, epoch: value?.epoch ?? 0, state: 'released' }
      return (await write(phone, isOwn || !value ? released : value, revision)) === 'written'
    },
    /** The bucket was made anew: revisions of the old one say nothing about those in it. */
    forgetRevisions() {
      newest.clear()
      pending.clear()
    },
  }
}

export type PhoneClaims = ReturnType<typeof createPhoneClaims>
