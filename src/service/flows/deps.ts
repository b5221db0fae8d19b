/** The parts of this process that run flows: shared by the ports and by those who ask for runs. */
import type { TestProgress } from '../../contracts/flows/test-run.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import type { UndoNotes } from '../reservations/undo-notes.ts'
import type { FlowFiles, FlowLibrary } from './language/flow-library.ts'
import type { PhonePool } from './phones.ts'
import type { Plan, PlannedFiles } from './plan-run.ts'
import { testRunActor } from './read-test-run.ts'
import type { RecordedRequest } from './request.ts'
import type { LiveAttempts } from './run/attempt.ts'
import type { FlowScripts } from './script/scripts.ts'

export interface FlowsDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly home: string
  readonly phones: PhonePool
  readonly secrets: Secrets
  readonly attempts: LiveAttempts
  readonly runs: LiveTestRuns
  /** The phones that attempts of this process have in reservations of their callers, or wait for in other processes. */
  readonly phonesInUse: Set<string>
  filesFor(request: RecordedRequest): FlowFiles
  openScripts(seed: string, request: RecordedRequest): FlowScripts
  /** Attempts note here the changes of their phones that have to be undone. */
  readonly undoNotes: UndoNotes
  note(text: string): void
  readonly host: Host
  readonly journal: Journal
}

/** A run in this process. */
export interface LiveTestRun {
  readonly request: RecordedRequest
  /** Values of the variables, secrets included. */
  readonly env: Readonly<Record<string, string>>
  readonly library: FlowLibrary
  planned: readonly PlannedFiles[]
  /** Made before the run was begun; the machine of the run takes it once. */
  plan?: Plan | undefined
  /** Where files go that flows name. */
  outputFolder: string
  onProgress(progress: TestProgress): void
  /** The journal did not take an event of the run: this process cannot go on with it. */
  onBroken(): void
}

export type LiveTestRuns = Map<string, LiveTestRun>

/** A machine that lost an event is dropped, and its ports are told to stop. */
export const whenBroken = ({ runs, host }: Pick<FlowsDeps, 'runs' | 'host'>, testRunId: string, signal: AbortSignal) =>
  signal.addEventListener('abort', () => {
    if (host.snapshot(testRunActor(testRunId)) === undefined) runs.get(testRunId)?.onBroken()
  })
