/** What a host does first: settle the actors that a dead host left in flight, so that the doubt is on record. */
import { type Definition, IN_FLIGHT } from '../../machines/definition.ts'
import { JournalError } from './journal/fault.ts'
import type { Journal } from './journal/journal.ts'
import { HeldError } from './lease/lease.ts'
import type { Registry } from './registry.ts'

export interface RecoverOptions {
  journal: Journal
  definitions: Readonly<Record<string, Definition>>
  registry: Pick<Registry, 'open' | 'peek'>
  /** Only this actor; all of them without it. */
  only?: string | undefined
}

/** Opening an actor marks it interrupted; one whose owner lives is left to it. Says which actors were settled. */
export const recoverActors = async ({ journal, definitions, registry, only }: RecoverOptions): Promise<string[]> => {
  const recovered: string[] = []
  for (const { actor, machine } of inFlight(journal, only)) {
    if (!definitions[machine] || registry.peek(actor)) continue
    try {
      await registry.open({ id: actor, machine, input: undefined })
      recovered.push(actor)
    } catch (error) {
      // Another process has it, or has just written to it.
      const isAlive = error instanceof HeldError || (error instanceof JournalError && error.reason === 'behind')
      if (!isAlive) throw error
    }
  }
  return recovered
}

/** The newest records of those that are in flight. */
const inFlight = (journal: Journal, only: string | undefined) => {
  if (only === undefined) return journal.actors({ tag: IN_FLIGHT, limit: RECOVER_AT_MOST })
  const last = journal.last(only)
  return last?.tags.includes(IN_FLIGHT) ? [last] : []
}

/** More actors in flight at once than any host can have had; the rest is settled when it is next opened. */
const RECOVER_AT_MOST = 10_000
