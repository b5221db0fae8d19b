/** How far a change of an emulator is: one line that is drawn over on a terminal, a line for each phase elsewhere. */
import type { JournalRecord } from '../contracts/journal.ts'
import { momentOf, pause, sinceMs } from '../runtime/clock.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { Call } from './command.ts'

const PHASES: Readonly<Record<string, string>> = {
  'busy.observing': 'looking at the AVD',
  'busy.installing': 'checking the system image',
  'busy.creating': 'creating the AVD',
  'busy.undoing': 'removing what was half made',
  'busy.starting.spawning': 'starting the emulator',
  'busy.starting.awaiting.registering': 'waiting until adb lists it',
  'busy.starting.awaiting.booting': 'waiting until Android has booted',
  'busy.starting.awaiting.preparing': 'enabling the developer settings',
  'busy.starting.abandoning': 'ending the emulator',
  'busy.stopping': 'waiting until it has ended',
  'busy.deleting': 'deleting the AVD',
  'working.choosing': 'looking for a supported emulator',
  'working.booting': 'waiting until the running emulator has booted',
}

/** What a record says to a person; undefined when it says nothing new. */
export const progressText = ({ actor, event, to }: JournalRecord): string | undefined => {
  const name = actor.startsWith('emulator:') ? `${actor.slice('emulator:'.length)}: ` : ''
  if (event.type === 'image.progressed') {
    const percent = typeof event.percent === 'number' ? `${event.percent} % ` : ''
    return `${name}${percent}${String(event.step)}`
  }
  if (event.type === 'leftovers.repaired') return `${name}${String(event.done)}`
  const phase = PHASES[to]
  return phase === undefined ? undefined : `${name}${phase}`
}

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
        records => {
          for (const record of records) if (isOurs(record)) take(record)
        },
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
