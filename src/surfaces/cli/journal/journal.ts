/** `svc journal export|repair` at work: export what is readable; replace a damaged journal. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { journalPath } from '../../../runtime/home.ts'
import { examineJournal } from '../../../runtime/journal/check.ts'
import { type ExportCounts, ExportTargetError, exportJournal } from '../../../runtime/journal/export.ts'
import { JournalError } from '../../../runtime/journal/fault.ts'
import { unknownKeysMessage } from '../../../runtime/journal/loss.ts'
import { isRepairable, replaceJournal, setObstaclesAside } from '../../../runtime/journal/repair.ts'
import { attempt } from '../../../runtime/or-undefined.ts'
import { processesWithOpen, removedName } from '../../../runtime/processes/process-list.ts'
import { type CommandContext, CommandError, type CommandResult, usage } from '../command.ts'
import { counted, type Fact, facts, headline, lines, paragraph } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe, visible } from '../text/visible.ts'

/** The files' real paths, behind links. A link to a device is not followed: many processes have that open. */
const placesOf = (path: string): string[] => {
  const folder = attempt(() => realpathSync(dirname(path)))
  const real = attempt(() => realpathSync(path))
  const file = real !== undefined && statSync(real).isFile() ? [real] : []
  const places = folder === undefined ? file : [join(folder, basename(path)), ...file]
  return places.flatMap(place => [place, `${place}-wal`, `${place}-shm`])
}

/** A file that was taken away from under its process counts as well. */
const processesUsing = (path: string): number[] =>
  processesWithOpen(new Set(placesOf(path).flatMap(place => [place, removedName(place)])))

/** A new journal must not be put in the place of one that other processes have open. */
const refuseUsed = (path: string) => {
  const pids = processesUsing(path)
  if (pids.length === 0) return
  throw new CommandError('JOURNAL_UNAVAILABLE', `The journal is in use by ${pids.length} other processes.`, {
    details: { reason: 'busy', pids },
    hint: 'End them first (a daemon: svc daemon stop): what they write would go to the files that are set aside.',
  })
}

export const exportTo = async (call: CommandContext, shape: string): Promise<CommandResult> => {
  const named = call.text('to')
  if (named === undefined || named.trim() === '') {
    throw usage(`--to is missing: ${shape}`)
  }
  const to = resolve(call.cwd, named)
  if (existsSync(to)) throw usage(`${to} already exists: choose a new file.`)
  const { home } = await call.services()
  const path = journalPath(home)
  try {
    return { ok: true, output: { exported: true, path, to, ...exportJournal({ path, to }) } }
  } catch (error) {
    throw error instanceof ExportTargetError ? usage(`${to} cannot be written: ${error.message}`) : error
  }
}

/** A journal of which nothing can be exported is set aside all the same. */
const exportReadable = (path: string, at: number): (ExportCounts & { to: string }) | { error: string } => {
  const to = join(dirname(path), `${basename(path, '.db')}-${at}.jsonl`)
  try {
    return { to, ...exportJournal({ path, to }) }
  } catch (error) {
    if (!(error instanceof JournalError || error instanceof ExportTargetError)) throw error
    return { error: error.message }
  }
}

export const repair = async (call: CommandContext): Promise<CommandResult> => {
  const { clock } = call
  const path = journalPath((await call.services()).home)
  const examined = examineJournal({ path, clock })
  if (examined.state === 'absent') {
    return { ok: true, output: { repaired: false, path, message: 'There is no journal yet: nothing to repair.' } }
  }
  if (examined.state === 'in order') {
    return { ok: true, output: { repaired: false, path, message: 'The journal is in order: nothing to repair.' } }
  }
  const { error } = examined
  if (!isRepairable(path, error)) throw error
  refuseUsed(path)
  const damage = { repaired: true, path, reason: error.reason, message: error.message }

  const obstacles = setObstaclesAside({ path, clock })
  if (obstacles.length > 0 && examineJournal({ path, clock }).state === 'in order') {
    return { ok: true, output: { ...damage, aside: obstacles } }
  }
  const exported = exportReadable(path, clock.now())
  const { aside, after, receipts, receiptsLost } = replaceJournal({ path, clock })
  const repaired = examineJournal({ path, clock })
  if (repaired.state === 'faulty') throw repaired.error
  call.log.warn('Restart the processes that still have the old journal open.')
  const hint = receiptsLost === 0 ? {} : { hint: unknownKeysMessage(clock.now()) }
  const output = { ...damage, exported, aside: [...obstacles, ...aside], after, receipts, receiptsLost, ...hint }
  return { ok: true, output }
}

interface Counts {
  records: number
  receipts: number
  checkpoints: number
  skipped: number
}

const countsText = ({ records, receipts, checkpoints, skipped }: Counts): string =>
  [
    counted(records, 'record'),
    counted(receipts, 'receipt'),
    counted(checkpoints, 'checkpoint'),
    ...(skipped > 0 ? [`${skipped} unreadable and left out`] : []),
  ].join(', ')

export const exportedText = (page: Page, output: Counts & { to: string }): string =>
  lines(
    headline(page, output.skipped > 0 ? 'warning' : 'ok', safe`Exported the journal to ${output.to}`),
    `  ${paragraph(page, countsText(output), 2)}`,
  )

interface Repaired {
  repaired: boolean
  path: string
  message: string
  exported?: (Counts & { to: string }) | { error: string }
  aside?: readonly string[]
  receipts?: number
  receiptsLost?: number | null
  hint?: string
}

export const repairedText = (page: Page, output: Repaired): string => {
  const { repaired, path, message, exported, aside, receipts, receiptsLost, hint } = output
  if (!repaired) return lines(headline(page, 'ok', visible(message)), facts(page, [['Journal', path]], 2))
  const rows: Fact[] = [
    ['Journal', path],
    ['Problem', message],
    ['Exported', exported && ('to' in exported ? `${countsText(exported)} to ${exported.to}` : exported.error)],
    ['Set aside', aside?.join(', ')],
    ['Receipts', receipts === undefined ? undefined : `${receipts} kept`],
    ['Lost', receiptsLost === undefined ? undefined : `${receiptsLost ?? 'an unknown number of'} receipts`],
    ['Hint', hint],
  ]
  return lines(headline(page, 'ok', 'Replaced the damaged journal with a new one.'), facts(page, rows, 2))
}
