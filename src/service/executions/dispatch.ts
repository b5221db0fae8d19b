/** The job of the operator, which is the body of `execution.requested`, and all that an execution runs with. */

import type { Execution } from '../../contracts/executions/execution.ts'
import type { Policy } from '../../contracts/policy.ts'
import type { DraftOwners } from '../../device/files/host-drafts.ts'
import type { InteractiveCheck } from '../../device/link/interactive.ts'
import type { Link } from '../../device/link/link.ts'
import type { Operator } from '../../device/operators/operators.ts'
import type { SegmentRun } from '../../device/operators/segment-run.ts'
import type { ChangeMemory } from '../../device/settings/changes/change-memory.ts'
import type { PolicyFacts } from '../policy/evaluate-policy.ts'
import type { RecordDenial } from '../policy/refuse.ts'
import type { ScreenMemory } from './screens/screen-memory.ts'
import type { ScreenReader } from './screens/screen-reader.ts'

export interface ScreenView {
  /** The key of the device's lease, under which its screens are numbered. */
  device: string
  /** Snapshots are answered in compact lines. */
  isCompact: boolean
  /** The execution whose screen the changes are compared to. */
  since?: string | undefined
  /** The screen is described once the steps are over. */
  isObserved: boolean
}

export interface OperatorJob {
  /** Canonical: validated, aliases resolved, defaults filled in. */
  execution: Execution
  /** The name as the caller gave it, in any form. */
  operatorPackage: string
  /** The serial by which the debug bridge lists the device; the `deviceId` of the answer. */
  serial: string
  screenshots: ScreenshotPolicy
  /** The folders below which it may name files of the host; left out for a caller who may name any. */
  fileRoots?: readonly string[] | undefined
  /** The key under which the phone is owned; absent in what earlier versions recorded. */
  phone?: string | undefined
  /** Under which the host owned the phone when it was accepted, and whether another host of the fleet sent it. */
  epoch?: number | undefined
  isSent?: boolean | undefined
  /** Left out when neither refs nor anything else of it was asked for. */
  view?: ScreenView | undefined
  /** Left out when no rule asks which application is in front. */
  inFront?: ForegroundPolicy | undefined
  /** The policy does not let the caller see the screen, or it depends on an application for which nobody asks. */
  isScreenHidden?: true | undefined
}

/** One execution and all that it runs with. */
export interface ExecutionRun extends SegmentRun {
  job: OperatorJob
  operator: Operator
  checkInteractive: InteractiveCheck & { forget(link: Link): void }
  screens: ScreenMemory
  changes: ChangeMemory
  reader: ScreenReader
  recordDenial: RecordDenial
  /** The processes of this machine unless told. */
  draftOwners?: DraftOwners | undefined
}

/** The part of the policy that depends on the application in front: asked again before each step that touches it. */
export interface ForegroundPolicy {
  policy: Policy
  facts: Pick<PolicyFacts, 'caller' | 'devices' | 'skill' | 'operator'>
  /** The rules to which a person has said yes. */
  confirmed: readonly string[]
}

/** The folders for screenshots, as absolute paths. */
export interface ScreenshotPolicy {
  /** The working directory of the caller, for relative paths. */
  relativeTo: string
  /** The folder for screenshots without a path; created when missing. */
  newFilesIn: string
  /** The home: files below it are of its user alone, wherever they were named. */
  ownerOnlyIn?: string | undefined
}

/** The body comes from this process's own code: what is checked is that it is a job at all. */
export const readJob = (body: unknown): OperatorJob => {
  const job = body as Partial<OperatorJob> | null | undefined
  if (
    typeof job?.serial !== 'string' ||
    typeof job.operatorPackage !== 'string' ||
    !Array.isArray(job.execution?.actions)
  ) {
    throw new TypeError('the execution was requested without a job for the operator')
  }
  return job as OperatorJob
}
