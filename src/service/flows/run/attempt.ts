/** An attempt in this process: the flow, its phone, and what its commands share. */

import type { Unstamped } from '../../../contracts/events/event.ts'
import type { FlowRunEvent, FlowStage } from '../../../contracts/events/flow-run.ts'
import type { FlowWarning, TestProgress } from '../../../contracts/flows/test-run.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Ids } from '../../../runtime/ids.ts'
import type { OwnSecrets } from '../../../runtime/secrets.ts'
import type { Flow } from '../language/command.ts'
import type { FlowLibrary } from '../language/flow-library.ts'
import { FLOW_KEPT_TEXT_BYTES, FLOW_TEXT_BYTES } from '../language/limits.ts'
import type { Phones } from '../phones.ts'
import type { FlowScripts } from '../script/scripts.ts'
import type { RecordedAttempt, RecordedLogLine } from './command-log.ts'
import { failed } from './failure.ts'

// The texts of commands that are on record for later commands: what was copied, or typed at random.

type Kept = Pick<AttemptState, 'keptTextBytes'>

/** Throws CommandFailed for a text that is too long, and where the attempt has kept too much. */
export const keepText = (state: Kept, text: string): void => {
  const bytes = Buffer.byteLength(text)
  if (bytes > FLOW_TEXT_BYTES)
    throw failed('FLOW_INVALID', `The text has ${bytes} bytes, and a text of a flow may have ${FLOW_TEXT_BYTES}.`)
  if (state.keptTextBytes + bytes > FLOW_KEPT_TEXT_BYTES) {
    const fact = `The texts that this flow has copied or typed at random have more than ${FLOW_KEPT_TEXT_BYTES} bytes in all`
    throw failed('FLOW_INVALID', `${fact}, and no flow may keep more. Copy shorter texts, or fewer of them.`)
  }
  state.keptTextBytes += bytes
}

/** The text is what pasteText types, and what scripts see. */
export const keepCopiedText = (state: Kept & Pick<AttemptState, 'copiedText'>, text: string): void => {
  keepText(state, text)
  state.copiedText = text
}

export interface LiveAttempt {
  readonly flowRunId: string
  readonly testRunId: string
  readonly flowIndex: number
  readonly attempt: number
  readonly deviceId: string
  readonly flow: Flow
  /** Variables of the command line and those that every flow has. */
  readonly env: Readonly<Record<string, string>>
  /** Where screenshots and recordings that the flow names are written. */
  readonly outputFolder: string
  /** For the names in a flow that was given as text. */
  readonly directory: string
  /** Holds the files of the whole run; their paths are told from here. */
  readonly runFolder: string
  /** Where the run keeps its own files of this attempt. */
  readonly folder: string
  readonly phones: Phones
  readonly scripts: FlowScripts
  readonly clock: Clock
  readonly ids: Ids
  /** Every file is read once, so that what was checked is what runs. */
  readonly library: FlowLibrary
  /** The digests of the files that the record has, by their paths. */
  readonly filesRead: Map<string, string>
  readonly secrets: OwnSecrets
  onProgress(progress: TestProgress): void
  /** A line for a person. */
  note(text: string): void
  /** When the first process began it. */
  readonly startedAt: number
  /** The part that a process before this one has done. */
  recorded: RecordedAttempt
  state: AttemptState
}

/** Shared by the commands of all stages. */
export interface AttemptState {
  /** The position of the next command. */
  next: number
  /** When the flow last touched the phone, on the clock that nobody sets. */
  touchedAt: number
  copiedText: string | null
  /** Counts the texts that are on record. */
  keptTextBytes: number
  /** The path that the recording of the flow's own is to have. */
  recordingPath: string | undefined
  /** Warnings that no record has yet wait here: the next end of a command, or of the stage, takes them. */
  warnings: FlowWarning[]
  /** All warnings of this process, by their places: a command that runs again warns once. */
  warned: Map<string, FlowWarning>
  /** Lines of scripts wait here in the same way. */
  log: RecordedLogLine[]
  /** The bytes of all lines that are on record or wait, by their ids. */
  logged: Map<string, number> | undefined
  /** The variables of the header, evaluated once for all stages. */
  scope: Promise<Scope> | undefined
  /** The stages that this process has gone through. */
  stages: FlowStage[]
}

/** The commands of one flow share it; a subflow has its own. */
export interface Scope {
  readonly file: string
  readonly appId: string | undefined
  readonly env: Readonly<{ [name: string]: string }>
  readonly depth: number
  /** Its selectors mean elements of web pages too; so do those of the flows that it runs. */
  readonly usesWebElements?: boolean | undefined
  /** The files of the flows that run each other, the main flow first. */
  readonly running: readonly string[]
}

/** False when the journal does not take it. A call is on the disk before the phone, which may be of another host, is asked. */
export type RecordEvent = (event: Unstamped<FlowRunEvent> & { body?: unknown }) => Promise<boolean>

/** By the id of the flow run. One map is shared by those who begin attempts and by the port that performs them. */
export type LiveAttempts = Map<string, LiveAttempt>
