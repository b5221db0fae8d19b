/** `svc journal export|repair` at work: what is readable is exported, and a new journal takes the place of a damaged one. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { startAnew } from '../../runtime/journal/anew.ts'
import { JournalError, type JournalFault } from '../../runtime/journal/fault.ts'
import { journalPath } from '../../runtime/journal/path.ts'
import { type Salvaged, salvage } from '../../runtime/journal/salvage.ts'
import { type Call, CommandError, type Outcome, usage } from '../command.ts'
import { examineJournal } from './examine.ts'
import { processesUsing } from './users.ts'

/** With these a journal is lost; all others pass, or have to be put right outside of it. */
const DAMAGED: ReadonlySet<JournalFault> = new Set(['corrupt', 'truncated'])

const refuseUsed = (path: string) => {
  const pids = existsSync(path) ? (processesUsing(path) ?? []) : []
  if (pids.length === 0) return
  throw new CommandError('JOURNAL_UNAVAILABLE', `The journal is in use by ${pids.length} other processes.`, {
    details: { reason: 'busy', pids },
    hint: 'End them first: what they wrote meanwhile would go to the journal that is set aside.',
  })
}

export const exportJournal = async (call: Call): Promise<Outcome> => {
  const named = call.text('to')
  if (named === undefined) throw usage('--to <file> is missing: svc journal export --to <file>')
  const to = resolve(call.cwd, named)
  if (existsSync(to)) throw usage(`${to} is there already: an export is a new file.`)
  const { home } = await call.services()
  const path = journalPath(home)
  return { ok: true, output: { exported: true, path, to, ...salvage({ path, to }) } }
}

/** Nothing is thrown away: a journal of which nothing can be exported is still set aside. */
const exportReadable = (path: string, at: number): (Salvaged & { to: string }) | { error: string } => {
  const to = join(dirname(path), `${basename(path, '.db')}-${at}.jsonl`)
  try {
    return { to, ...salvage({ path, to }) }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    return { error: error.message }
  }
}

export const repairJournal = async (call: Call): Promise<Outcome> => {
  const services = await call.services()
  const path = journalPath(services.home)
  const examined = examineJournal({ path, open: services.journal, thorough: true })
  // Neither the export nor the new beginning may happen in a process that has the journal open.
  await services.close()
  if (examined.state !== 'faulty') {
    return {
      ok: true,
      output: { repaired: false, path, message: `The journal is ${examined.state}: nothing to repair.` },
    }
  }
  const { error } = examined
  if (!DAMAGED.has(error.reason)) throw error
  refuseUsed(path)
  const exported = exportReadable(path, call.clock.now())
  const { aside, after } = startAnew({ path, clock: call.clock })
  call.log.warn('Processes that still have the old journal open must be started again.')
  return {
    ok: true,
    output: { repaired: true, path, reason: error.reason, message: error.message, exported, aside, after },
  }
}
