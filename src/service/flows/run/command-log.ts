/**
 * Reads an attempt from the journal: its commands, what they asked of the phone, how they ended, and what nobody can
 * vouch for: only without that may the flow begin anew by itself.
 */

import { CATALOGUE } from '../../../../machines/catalogue.ts'
import type { FlowRunEvent } from '../../../contracts/events/flow-run.ts'
import { isInDoubt } from '../../../contracts/executions/in-doubt.ts'
import type { FlowError, FlowLogLine, FlowWarning } from '../../../contracts/flows/test-run.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { upcast } from '../../../runtime/fold.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { PIECE, type Sliced, withoutPauses } from '../../../runtime/yielding.ts'
import type { Phones } from '../phones.ts'
import type { Evidence } from './evidence.ts'
import { NO_SCRIPTS, type ScriptRecord, withAnswer, withRequest } from './script-record.ts'

/** The first execution of the attempt that is in doubt. One whose host does not answer is. */
export const executionInDoubt = async (
  { commands }: Pick<RecordedAttempt, 'commands'>,
  phones: Pick<Phones, 'receipt'>,
): Promise<string | undefined> => {
  for (const executionId of commands.flatMap(({ executionIds }) => executionIds)) {
    try {
      const receipt = await phones.receipt(executionId)
      if (receipt && isInDoubt(receipt)) return executionId
    } catch {
      return executionId
    }
  }
  return undefined
}

type EventOf<Type extends FlowRunEvent['type']> = Extract<FlowRunEvent, { type: Type }>

/** `id` names the evaluation and the call: a process that goes on with an attempt repeats its scripts, and their ids. */
export interface RecordedLogLine extends FlowLogLine {
  readonly id: string
}

/** The body of `command.ended`. */
export interface CommandEnd {
  readonly error?: FlowError | undefined
  readonly files?: readonly string[] | undefined
  /** Warnings since the last end of a command wait here. */
  readonly warnings?: readonly FlowWarning[] | undefined
  readonly log?: readonly RecordedLogLine[] | undefined
  /** The paths of the files that the flow has named and the command has written. */
  readonly written?: readonly string[] | undefined
  /** A text that later commands need: what was copied, or typed at random. */
  readonly text?: string | undefined
}

export interface RecordedCommand {
  readonly begun: EventOf<'command.begun'>
  readonly executionIds: readonly string[]
  readonly scripts: ScriptRecord
  readonly ended?: (EventOf<'command.ended'> & { readonly body: CommandEnd }) | undefined
}

export type RecordedStage = EventOf<'stage.ended'> & {
  readonly body: Pick<CommandEnd, 'error' | 'files' | 'warnings' | 'log'> & Pick<Evidence, 'executionId'>
}

export interface RecordedAttempt {
  /** `files`: the digests of the files that the flow names, by their paths; earlier versions did not record them. */
  readonly requested?: (EventOf<'flow.requested'> & { readonly files?: Readonly<Record<string, string>> }) | undefined
  /** The scripts of the header. */
  readonly header: ScriptRecord
  /** The scripts of labels, by the index of the command, which begins later. */
  readonly labels: readonly (ScriptRecord | undefined)[]
  readonly readings: readonly EventOf<'file.read'>[]
  /** Why no process could go on with it. */
  readonly refusal?: FlowError | undefined
  readonly commands: readonly RecordedCommand[]
  readonly stages: readonly RecordedStage[]
  readonly last?: JournalRecord | undefined
}

/** The rows of a page are read in one go. */
const PAGE = 250

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

/** How much of an attempt is read: responses of scripts are long, and commands are many. */
type Extent = 'all' | 'without scripts' | 'without commands'
const OF_SCRIPTS: readonly string[] = ['request.begun', 'script.answered', 'file.read']
const OF_COMMANDS: readonly string[] = ['command.begun', 'call.begun', 'command.ended']
const LEFT_OUT = {
  all: [],
  'without scripts': OF_SCRIPTS,
  'without commands': [...OF_SCRIPTS, ...OF_COMMANDS],
} as const satisfies Record<Extent, readonly string[]>

type Reading = Pick<Journal, 'records' | 'body'>

/** Also tells the newest record of an attempt that is under way. */
export const readingAttempt = function* (
  journal: Reading,
  flowRunId: string,
  extent: Extent = 'all',
): Sliced<RecordedAttempt> {
  const commands: { -readonly [Key in keyof RecordedCommand]: RecordedCommand[Key] }[] = []
  const stages: RecordedStage[] = []
  const labels: (ScriptRecord | undefined)[] = []
  const readings: EventOf<'file.read'>[] = []
  let header = NO_SCRIPTS
  let requested: RecordedAttempt['requested']
  let refusal: FlowError | undefined
  let last: JournalRecord | undefined
  const change = (
    { index, scriptOf }: EventOf<'request.begun' | 'script.answered'>,
    into: (scripts: ScriptRecord | undefined) => ScriptRecord,
  ) => {
    const command = commands[index]
    if (scriptOf === 'label') labels[index] = into(labels[index])
    // Version 1 does not tell the header apart, which is evaluated before the first command begins.
    else if (scriptOf === 'header' || !command) header = into(header)
    else command.scripts = into(command.scripts)
  }
  for (const record of recordsOf(journal, flowRunActor(flowRunId))) {
    if (record.n % PIECE === 0) yield
    last = record
    if ((LEFT_OUT[extent] as readonly string[]).includes(record.event.type)) continue
    const event = upcast(CATALOGUE['flow-run'], record) as unknown as FlowRunEvent
    switch (event.type) {
      case 'flow.requested':
        requested = { ...event, ...(journal.body(record) as Pick<NonNullable<typeof requested>, 'files'> | undefined) }
        break
      case 'command.begun':
        commands[event.index] = { begun: event, executionIds: [], scripts: NO_SCRIPTS }
        break
      case 'call.begun': {
        const command = commands[event.index]
        if (command) command.executionIds = [...command.executionIds, event.executionId]
        break
      }
      case 'request.begun':
        change(event, scripts => withRequest(scripts, event))
        break
      case 'script.answered':
        change(event, scripts => withAnswer(scripts, journal.body(record)))
        break
      case 'file.read':
        readings.push(event)
        break
      case 'flow.refused':
        refusal = (journal.body(record) as Pick<CommandEnd, 'error'> | undefined)?.error
        break
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
  return { requested, header, labels, readings, refusal, commands: commands.filter(Boolean), stages, last }
}

export const readAttempt = (journal: Reading, flowRunId: string): RecordedAttempt =>
  withoutPauses(readingAttempt(journal, flowRunId))
