/** Reads an attempt from the journal: its commands, what they asked of the phone, and how they ended. */
import type { FlowRunEvent } from '../../contracts/events/flow-run.ts'
import type { JournalRecord } from '../../contracts/journal.ts'
import type { FlowError } from '../../contracts/test-run.ts'
import type { Journal } from '../../runtime/journal/journal.ts'

type EventOf<Type extends FlowRunEvent['type']> = Extract<FlowRunEvent, { type: Type }>

/** The body of `command.ended`. */
export interface CommandEnd {
  readonly error?: FlowError | undefined
  readonly files?: readonly string[] | undefined
  /** A text that later commands need: what was copied, or typed at random. */
  readonly text?: string | undefined
}

export interface RecordedCommand {
  readonly begun: EventOf<'command.begun'>
  readonly executionIds: readonly string[]
  readonly scriptAnswers: readonly unknown[]
  readonly ended?: (EventOf<'command.ended'> & { readonly body: CommandEnd }) | undefined
}

export type RecordedStage = EventOf<'stage.ended'> & { readonly body: Pick<CommandEnd, 'error' | 'files'> }

export interface RecordedAttempt {
  readonly requested?: EventOf<'flow.requested'> | undefined
  /** The answers that the scripts of the header had. */
  readonly headerAnswers: readonly unknown[]
  readonly commands: readonly RecordedCommand[]
  readonly stages: readonly RecordedStage[]
  readonly last?: JournalRecord | undefined
}

const PAGE = 1_000

function* recordsOf(journal: Pick<Journal, 'records'>, actor: string): Generator<JournalRecord> {
  for (let fromN = 0; ; ) {
    const page = journal.records({ actor, fromN, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (page.length < PAGE || last === undefined) return
    fromN = last.n + 1
  }
}

export const flowRunActor = (flowRunId: string): string => `flow-run:${flowRunId}`

/** Also tells the newest record of an attempt that is under way. */
export const readAttempt = (journal: Pick<Journal, 'records' | 'body'>, flowRunId: string): RecordedAttempt => {
  const commands: { -readonly [Key in keyof RecordedCommand]: RecordedCommand[Key] }[] = []
  const stages: RecordedStage[] = []
  const headerAnswers: unknown[] = []
  let requested: EventOf<'flow.requested'> | undefined
  let last: JournalRecord | undefined
  for (const record of recordsOf(journal, flowRunActor(flowRunId))) {
    last = record
    const event = record.event as unknown as FlowRunEvent
    switch (event.type) {
      case 'flow.requested':
        requested = event
        break
      case 'command.begun':
        commands[event.index] = { begun: event, executionIds: [], scriptAnswers: [] }
        break
      case 'call.begun': {
        const command = commands[event.index]
        if (command) command.executionIds = [...command.executionIds, event.executionId]
        break
      }
      case 'script.answered': {
        const command = commands[event.index]
        // The header is evaluated before the first command begins.
        if (!command) headerAnswers.push(journal.body(record))
        else command.scriptAnswers = [...command.scriptAnswers, journal.body(record)]
        break
      }
      case 'command.ended': {
        const command = commands[event.index]
        if (command) command.ended = { ...event, body: (journal.body(record) ?? {}) as CommandEnd }
        break
      }
      case 'stage.ended':
        stages.push({ ...event, body: (journal.body(record) ?? {}) as RecordedStage['body'] })
        break
      default:
    }
  }
  return { requested, headerAnswers, commands: commands.filter(Boolean), stages, last }
}
