/** What a host does first: settle the actors that a dead host left in flight, so that doubt is on record, not in the air. */
import { type Definition, IN_FLIGHT } from '../../machines/definition.ts'
import type { Journal } from './journal/journal.ts'
import type { Claimed, Registry } from './registry.ts'

export interface RecoverOptions {
  journal: Journal
  definitions: Readonly<Record<string, Definition>>
  claim: Registry['claim']
  settle: Registry['settle']
}

/** Opening an actor marks it interrupted; an actor whose owner lives cannot be claimed and is left to it. */
export const recoverActors = ({ journal, definitions, claim, settle }: RecoverOptions): string[] => {
  const keys = new Map(journal.leases.list().map(lease => [lease.note.actor, lease.key]))
  const recovered: string[] = []
  for (const { actor, machine } of journal.actors({ tag: IN_FLIGHT, limit: RECOVER_AT_MOST })) {
    if (!definitions[machine]) continue
    const claimed: Claimed = claim(
      { id: actor, machine, input: undefined, leaseKey: keys.get(actor) ?? actor },
      { firmly: true },
    )
    if (claimed.held) continue
    settle(actor)
    recovered.push(actor)
  }
  return recovered
}

/** More actors in flight at once than any host can have had; the rest is settled when it is next opened. */
const RECOVER_AT_MOST = 10_000
