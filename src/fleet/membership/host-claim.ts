/** The lease of a host: one live process has the id, and all it owns in the fleet holds while the lease is proven. */
import type { KV } from '@nats-io/kv'
import * as v from 'valibot'
import { openObject } from '../../contracts/json/objects.ts'
import { count } from '../../contracts/json/scalars.ts'
import { FENCE_AFTER_MS, HOST_LEASE_MS, HOST_LEASE_RENEW_MS } from '../../contracts/limits/fleet-limits.ts'
import { ageMs, type Clock, type ClockReading, pause, readClock } from '../../runtime/clock.ts'
import { cellOf } from '../servers/compare-and-set.ts'
import type { Names } from '../servers/names.ts'

/** A process of a machine, such that another one can tell whether it lives. */
export const FleetProcess = openObject({ pid: count, started: v.string(), place: v.string() })
export type FleetProcess = v.InferOutput<typeof FleetProcess>

export const HostClaim = openObject({
  host: v.string(),
  instance: v.string(),
  process: FleetProcess,
  /** `fenced`: another host has proven that it was not renewed for too long. */
  state: v.picklist(['held', 'released', 'fenced']),
  by: v.exactOptional(v.string()),
})
export type HostClaim = v.InferOutput<typeof HostClaim>

export type ClaimedHost =
  | { kind: 'claimed'; epoch: number }
  | { kind: 'taken'; instance: string; pid: number }
  | { kind: 'stopped' }

export interface HostClaimOptions {
  owners: () => KV
  names: Names
  host: string
  instance: string
  process: FleetProcess
  /** True when a process of this machine has ended; undefined for one of another machine or container. */
  hasEnded(process: FleetProcess): boolean | undefined
  clock: Clock
}

/** While a key is silent, it is read so often. */
const LOOK_MS = 500

export const createHostClaimKeeper = (options: HostClaimOptions) => {
  const { owners, names, host, instance, hasEnded, clock } = options
  const cell = () => cellOf(owners(), names.lease(host), HostClaim)
  const ownClaim: HostClaim = { host, instance, process: options.process, state: 'held' }
  let revision = 0
  let proven: ClockReading | undefined

  const take = async (at: number): Promise<boolean> => {
    const begun = readClock(clock)
    const written = await cell().write(ownClaim, at)
    if (written.kind !== 'written') return false
    revision = written.revision
    proven = begun
    return true
  }

  const isFree = (found: HostClaim | undefined): boolean =>
    found?.state !== 'held' || found.instance === instance || hasEnded(found.process) === true

  return {
    /** Goes on until it is decided. */
    async claim(signal: AbortSignal): Promise<ClaimedHost> {
      let silent: { revision: number; since: ClockReading } | undefined
      while (!signal.aborted) {
        const read = await cell()
          .read()
          .catch(() => undefined)
        if (read) {
          const { value } = read
          if (isFree(value)) {
            if (await take(read.revision)) return { kind: 'claimed', epoch: revision }
          } else if (value && silent && silent.revision !== read.revision) {
            return { kind: 'taken', instance: value.instance, pid: value.process.pid }
          } else if (!silent) {
            silent = { revision: read.revision, since: readClock(clock) }
          } else if (clock.elapsed() - silent.since.elapsed > FENCE_AFTER_MS) {
            if (await take(read.revision)) return { kind: 'claimed', epoch: revision }
          }
        }
        await pause(clock, LOOK_MS, signal)
      }
      return { kind: 'stopped' }
    },
    /** Renews it until it lapses, and says why it did; undefined when it was told to stop. */
    async keep(signal: AbortSignal): Promise<string | undefined> {
      let problem = 'the lease of the host was not renewed in time'
      while (!signal.aborted) {
        await pause(clock, HOST_LEASE_RENEW_MS, signal)
        if (signal.aborted) return undefined
        const begun = readClock(clock)
        const written = await cell().write(ownClaim, revision)
        if (signal.aborted) return undefined
        if (written.kind === 'written') {
          revision = written.revision
          proven = begun
          continue
        }
        if (written.kind === 'undecided')
          problem = `the servers did not take the renewal of the lease: ${written.message}`
        const read = await cell()
          .read()
          .catch(() => undefined)
        // An earlier write that nobody acknowledged was stored after all; or the answer is an old one, and the next write says so.
        if (read?.value?.instance === instance && read.value.state === 'held')
          revision = Math.max(revision, read.revision)
        else if (written.kind === 'conflict' && read && read.revision === 0) {
          proven = undefined
          return 'the servers have lost the lease of the host'
        } else if (read?.value && read.revision > revision) {
          proven = undefined
          return `the lease of the host was ${read.value.state === 'fenced' ? `fenced by ${read.value.by ?? 'another host'}` : 'taken by another process'}`
        }
        if (!proven || ageMs(clock, proven) >= HOST_LEASE_MS) {
          proven = undefined
          return problem
        }
      }
      return undefined
    },
    /** True while nobody can have fenced the lease yet, by either clock of this process. */
    isProven: () => proven !== undefined && ageMs(clock, proven) < HOST_LEASE_MS,
    /** True if it was held until now: then nobody else speaks for the host. */
    async release() {
      proven = undefined
      if (revision === 0) return false
      return (await cell().write({ ...ownClaim, state: 'released' }, revision)).kind === 'written'
    },
  }
}

export type HostClaimKeeper = ReturnType<typeof createHostClaimKeeper>

const NOBODY: FleetProcess = { pid: 0, started: '', place: '' }

/** Judges other hosts. One look at a host is shared by all phones that wait for it. */
export const createFencing = (options: Pick<HostClaimOptions, 'owners' | 'names' | 'clock' | 'hasEnded' | 'host'>) => {
  const { owners, names, clock, hasEnded } = options
  const seen = new Map<string, { revision: number; since: ClockReading }>()
  return {
    /** True when that instance provably holds nothing any more: it has ended, or this call has fenced it. */
    async isOver(host: string, holder: string) {
      const cell = cellOf(owners(), names.lease(host), HostClaim)
      const read = await cell.read()
      const { revision } = read
      // The bucket was made anew: whoever held a lease in the old one renews it, or is silent.
      const value: HostClaim = read.value ?? { host, instance: holder, process: NOBODY, state: 'held' }
      const before = seen.get(host)
      if (before?.revision !== revision) seen.set(host, { revision, since: readClock(clock) })
      const isHeld = value.state === 'held' && value.instance === holder
      const isSilent = before?.revision === revision && clock.elapsed() - before.since.elapsed > FENCE_AFTER_MS
      if (isHeld && !isSilent && hasEnded(value.process) !== true) return false
      // The read may be out of date: only a write at its revision proves that it is current.
      const next: HostClaim = isHeld ? { ...value, state: 'fenced', by: options.host } : value
      const written = await cell.write(next, revision)
      return written.kind === 'written'
    },
    /** The bucket was made anew: a revision there is not the one that was seen in the old one. */
    forgetRevisions: () => seen.clear(),
  }
}

export type Fencing = ReturnType<typeof createFencing>
