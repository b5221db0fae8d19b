/** The parts of a process that its own service asks, each made when it is first asked for, and the facts of the listener it has them for. */

import type { BuildIdentity } from '../contracts/daemon.ts'
import type { DeviceRecord } from '../contracts/device/device.ts'
import type { ExecutionResult } from '../contracts/executions/execution-result.ts'
import type { Forwards } from '../device/link/forwards/forwards.ts'
import type { CallOptions } from '../device/link/link.ts'
import type { Troubles } from '../runtime/background-failures.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { Secrets } from '../runtime/secrets.ts'
import type { Emulators } from './emulators/emulators.ts'
import type { ScreenshotPolicy } from './executions/dispatch.ts'
import type { Reached } from './executions/prepare.ts'
import type { Executions, Receipts } from './executions/service.ts'
import type { TestRuns } from './flows/test-runs.ts'
import type { Recordings } from './recordings/recordings.ts'
import type { Reservations } from './reservations/reservations.ts'
import type { Skills } from './skills/skills.ts'
import type { Undo } from './undo-left.ts'

/** An execution that no device actor took: it was not valid, its device was busy elsewhere, or there was none. */
export interface RefusedExecution {
  deviceId: string
  /** The execution as the caller sent it. */
  input: unknown
  result: ExecutionResult
}

export interface Parts {
  clock: Clock
  // Each of these opens what it needs when it is first asked.
  journal(): Journal
  executions(): Executions
  /** Reads receipts where nothing can be written too. */
  receipts(): Promise<Receipts>
  skills(): Skills
  emulators(): Emulators
  recordings(): Recordings
  reservations(): Reservations
  testRuns(): Promise<TestRuns>
  /** Rejects with LinkError when devices cannot be listed. */
  listDevices(signal: AbortSignal): Promise<DeviceRecord[]>
  /** Finds a device as executions do, and opens the link to it. */
  openDevice(deviceId: string | undefined, call: CallOptions): Promise<Reached>
  forwards(): Forwards
  /** Undoes what sessions and flows of processes that died have left on a phone; without it, nothing is looked for. */
  undo?: (() => Undo) | undefined
  /** Stand as tokens in payloads and in all that is recorded. */
  secrets?: Secrets | undefined
  /** Decides the folder of screenshots. */
  screenshots: ScreenshotPolicy
  /** Files that travel between hosts of a fleet are kept in this folder of the home. */
  parcelsFolder: string
  /** Used where a request names no operator; undefined lets the device decide. */
  operatorPackage: string | undefined
  version: string
  buildIdentity: BuildIdentity
  /** The listener through which requests come, for its stream of outcomes. */
  listener?: string | undefined
  /** The id of this host in its fleet. */
  fleetHost?: string | undefined
  /** Names the journal that remembers executions after this process; undefined where nothing is recorded. */
  journalName?: string | undefined
  /** Tells the home of this process from others. */
  homeIdentity?: string | undefined
  /** The folder of the viewer's built page; undefined when there is none. */
  viewerFolder: string | undefined
  /** Lists failures of this process that no answer shows. */
  troubles?: Pick<Troubles, 'list'> | undefined
  onRefused?: ((refused: RefusedExecution) => void) | undefined
  /** A line for a person or a log. */
  note(text: string): void
}
