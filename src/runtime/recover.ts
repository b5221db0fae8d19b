/** Settles the actors that a dead host left in flight, as the first act of a host, so that the doubt is on record. */
import { type Definition, IN_FLIGHT } from '../../machines/definition.ts'
import type { Troubles } from './background-failures.ts'
import { JournalError, type JournalFault } from './journal/fault.ts'
import type { ActorName, Journal } from './journal/journal.ts'
import { HeldError, type LeaseStore } from './ownership/ownership.ts'
import type { Registry } from './registry.ts'

interface RecoverOptions {
  journal: Journal
  definitions: Readonly<Record<string, Definition>>
  registry: Pick<Registry, 'open'>
  troubles: Pick<Troubles, 'tell'>
  /** Only this actor, or those of this machine. */
  only: Partial<ActorName>
}

/** With these, the next actor would fare no better. */
const OF_THE_JOURNAL: ReadonlySet<JournalFault> = new Set([
  'full',
  'read-only',
  'newer-schema',
  'not-openable',
  'busy',
  'vanished',
  'closed',
])

/**
 * Opening an actor marks it interrupted; one whose owner lives is left to it. Says which actors were settled. One whose
 * history cannot be read stays as it is, and keeps no other from being settled. Rejects with JournalError when the
 * journal takes nothing.
 */
export const recoverActors = async ({ journal, definitions, registry, troubles, only }: RecoverOptions) => {
  const recovered: string[] = []
  for (const { actor, machine } of inFlight(journal, only)) {
    if (!definitions[machine]) continue
    try {
      if (await registry.open({ id: actor, machine, input: undefined })) recovered.push(actor)
    } catch (error) {
      if (error instanceof HeldError) continue
      if (error instanceof JournalError) {
        // Another process has just written to it.
        if (error.reason === 'behind') continue
        if (OF_THE_JOURNAL.has(error.reason)) throw error
      }
      troubles.tell(`${actor} was left in flight by a process that is gone, and cannot be settled`, error)
    }
  }
  return recovered
}

/** Work that has no actor leaves nothing to settle: its key is free, and need not be listed until somebody takes it again. */
export const freeKeysOfTheDead = async (leases: Pick<LeaseStore, 'list' | 'owner' | 'release'>): Promise<void> => {
  for (const lease of leases.list())
    if (lease.note.actor === undefined && !leases.owner(lease.key)) await leases.release(lease).catch(() => {})
}

const inFlight = (journal: Journal, { actor, machine }: Partial<ActorName>): ActorName[] => {
  if (actor !== undefined) {
    const last = journal.last(actor)
    return last?.tags.includes(IN_FLIGHT) ? [last] : []
  }
  const all = journal.withTag(IN_FLIGHT)
  return all.filter(each => machine === undefined || each.machine === machine).slice(0, RECOVER_AT_MOST)
}

/** More actors in flight at once than any host can have had; the rest is settled when it is next opened. */
const RECOVER_AT_MOST = 10_000
