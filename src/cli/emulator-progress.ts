/** How far a change of an emulator is: one line that is drawn over on a terminal, a line for each phase elsewhere. */
import type { JournalRecord } from '../contracts/journal.ts'
import { progressText } from '../emulators/progress-text.ts'
import { momentOf, pause, sinceMs } from '../runtime/clock.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { eachRecord } from '../runtime/transitions.ts'
import type { Call } from './command.ts'

/** In a pipe every tenth percent is enough. */
const LINE_PERCENT = 10
const REDRAW_MS = 1_000

export interface ShownProgress {
  /** The actor that does the work; those that it asks are shown, too. */
  watch(actor: string): void
  end(): void
}

export const showProgress = (call: Call, journal: Journal): ShownProgress => {
  const { io, clock } = call
  const isTerminal = process.stderr.isTTY === true
  const begun = momentOf(clock)
  const over = new AbortController()
  let actor: string | undefined
  let text = ''
  let linePercent = 0
  let subscription: { close(): void } | undefined

  const draw = () => {
    const columns = process.stderr.columns || 80
    const line = `${text} (${Math.round(sinceMs(clock, begun) / 1_000)} s)`
    io.show(`\r\u001b[K${line.slice(0, columns - 1)}`)
  }
  const take = (record: JournalRecord) => {
    const said = progressText(record)
    if (said === undefined || said === text) return
    if (isTerminal) {
      text = said
      return draw()
    }
    const { percent } = record.event
    if (typeof percent === 'number' && percent < 100 && percent < linePercent + LINE_PERCENT) return
    linePercent = typeof percent === 'number' ? percent : 0
    text = said
    io.note(said)
  }
  const isOurs = (record: JournalRecord): boolean =>
    record.actor === actor || (actor?.startsWith('provision:') === true && record.actor.startsWith('emulator:'))

  const redraw = async () => {
    while (!over.signal.aborted) {
      await pause(clock, REDRAW_MS, over.signal)
      if (!over.signal.aborted && text !== '') draw()
    }
  }

  return {
    watch(watched) {
      actor = watched.includes(':') ? watched : `provision:${watched}`
      subscription = journal.subscribe(
        eachRecord(record => {
          if (isOurs(record)) take(record)
        }),
        { after: journal.head() },
      )
      if (isTerminal) void redraw()
    },
    end() {
      subscription?.close()
      over.abort()
      if (isTerminal && text !== '') io.show('\r\u001b[K')
    },
  }
}
