/**
 * How far the long step of an execution is, on stderr: one line that is written again on a terminal, else a line now and
 * then. It is read from the journal, which all processes share, so the daemon may run the execution as well.
 */

import { isBegun } from '../../../contracts/executions/begun-execution.ts'
import { isObject } from '../../../contracts/json/json.ts'
import type { StepProgress } from '../../../contracts/records/actor.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { eachRecord, stepProgressOf } from '../../../runtime/transitions.ts'
import type { CommandContext } from '../command.ts'

/** Where stderr is no terminal, a line for so many percent, or after so long where nobody knows how much there is. */
const LINE_PERCENT = 10
const LINE_MS = 10_000

/** Names of files may hold anything, and a terminal obeys some of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const UNSAFE = /[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g

const percentOf = ({ done, total }: StepProgress) => Math.floor((100 * done) / total)

/** `sending app.apk: 42 %` */
export const progressLine = (progress: StepProgress): string => {
  const what = progress.what.replace(UNSAFE, '?')
  return progress.total > 0 ? `${what}: ${percentOf(progress)} %` : `${what}: ${progress.done}`
}

/** Says each progress as this stderr can take it. */
export const createTeller = ({ io, clock }: Pick<CommandContext, 'io' | 'clock'>) => {
  let percent = 0
  let saidAt = clock.elapsed()
  let what = ''
  let isDrawn = false
  const isDue = (progress: StepProgress) => {
    if (progress.what !== what) percent = 0
    what = progress.what
    return progress.total > 0 ? percentOf(progress) >= percent + LINE_PERCENT : clock.elapsed() - saidAt >= LINE_MS
  }
  return {
    tell(progress: StepProgress) {
      const columns = io.errorColumns()
      if (columns !== undefined) {
        isDrawn = true
        return io.show(`\r\u001b[K${progressLine(progress).slice(0, columns - 1)}`)
      }
      if (!isDue(progress)) return
      percent = progress.total > 0 ? percentOf(progress) : 0
      saidAt = clock.elapsed()
      io.note(progressLine(progress))
    },
    end() {
      if (isDrawn) io.show('\r\u001b[K')
    },
  }
}

/** The work runs also where the journal cannot be read; then nothing is told of it. */
export const withStepProgress = async <T>(
  payload: unknown,
  call: CommandContext,
  work: () => Promise<T>,
): Promise<T> => {
  const commandId = isObject(payload) ? (payload.commandId ?? payload.command_id) : undefined
  const teller = createTeller(call)
  let subscription: { close(): void } | undefined
  let ours: unknown
  const hear = (record: JournalRecord) => {
    const { event } = record
    if (isBegun(record) && event.commandId === commandId) ours ??= event.executionId
    if (event.type === 'execution.progressed' && event.executionId === ours) teller.tell(stepProgressOf(event))
  }
  try {
    const journal = (await call.services()).journalToRead()
    subscription = journal.subscribe(eachRecord(hear), { after: journal.head() })
  } catch (error) {
    call.log.debug(`Progress cannot be shown: ${messageOf(error)}`)
  }
  try {
    return await work()
  } finally {
    subscription?.close()
    teller.end()
  }
}
