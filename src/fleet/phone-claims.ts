/** Who owns a phone: one key for each, written under its revision. */
import type { KV } from '@nats-io/kv'
import * as v from 'valibot'
import { count } from '../contracts/numbers.ts'
import { openObject } from '../contracts/objects.ts'
import { cellOf } from './compare-and-set.ts'
import type { Fencing, HostLease } from './host-lease.ts'
import type { Names } from './names.ts'

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

export interface PhoneClaims {
  /** `known` is the newest epoch this host knows of. */
  claim(phone: string, known: number): Promise<ClaimedPhone>
  /** Whether the phone can be claimed, and who holds it otherwise. Fences a holder that has been silent for too long. */
  look(phone: string): Promise<{ kind: 'free' } | { kind: 'held'; host: string; epoch: number }>
  release(phone: string, epoch: number): Promise<boolean>
}

export interface PhoneClaimsOptions {
  owners: () => KV
  names: Names
  host: string
  instance: string
  lease: Pick<HostLease, 'isProven'>
  fencing: Fencing
}

export const createPhoneClaims = ({
  owners,
  names,
  host,
  instance,
  lease,
  fencing,
}: PhoneClaimsOptions): PhoneClaims => {
  const cell = (phone: string) => cellOf(owners(), names.phone(phone), PhoneRecord)

  /** An earlier instance of this host counts as over: this one has claimed its lease. */
  const isFree = async (found: PhoneRecord | undefined): Promise<boolean> =>
    !found || found.state === 'released' || found.host === host || (await fencing.isOver(found.host, found.instance))

  return {
    async claim(phone, known) {
      const { value, revision } = await cell(phone).read()
      if (!(await isFree(value))) return { kind: 'held', host: value?.host ?? '', epoch: value?.epoch ?? 0 }
      if (!lease.isProven()) return { kind: 'undecided' }
      const epoch = Math.max(known, value?.epoch ?? 0) + 1
      const written = await cell(phone).write({ phone, host, instance, epoch, state: 'held' }, revision)
      return written.kind === 'written' ? { kind: 'claimed', epoch } : { kind: 'undecided' }
    },
    async look(phone) {
      const { value } = await cell(phone).read()
      if (await isFree(value)) return { kind: 'free' }
      return { kind: 'held', host: value?.host ?? '', epoch: value?.epoch ?? 0 }
    },
    async release(phone, epoch) {
      const { value, revision } = await cell(phone).read()
      if (value?.instance !== instance || value.epoch !== epoch || value.state === 'released') return true
      return (await cell(phone).write({ ...value, state: 'released' }, revision)).kind === 'written'
    },
  }
}
