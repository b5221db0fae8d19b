/** A performer of an action, and the context of every step that the host performs over the link, with shell rights. */

import type { ParamsOf } from '../../contracts/actions/card.ts'
import type { Bounds } from '../../contracts/device/ui-tree.ts'
import type { ActionType } from '../../contracts/executions/action.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import type { TellProgress } from '../../contracts/records/actor.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FileRoots } from '../files/file-roots.ts'
import type { DraftOwners } from '../files/host-drafts.ts'
import type { Link } from '../link/link.ts'
import type { Step } from '../screen/context.ts'
import type { DeviceChange } from '../settings/changes/ledger.ts'
import type { OpenChanges } from '../settings/restore-settings.ts'

export interface HostStepOptions {
  link: Link
  clock: Clock
  /** When the time of the execution is over, in epoch ms. */
  deadline: number
  signal: AbortSignal
  /** Throws a StepFailure when this host may no longer act on the phone; asked where a step has several commands. */
  mayAct?: (() => void) | undefined
  /** Hears as often as it likes how far a step is; what of it is recorded is bounded by `tellsProgress`. */
  told?: TellProgress | undefined
  /** The folders below which the caller may name files of this host; undefined for one who may name any. */
  fileRoots?: FileRoots
  /** The processes of this machine unless told. */
  draftOwners?: DraftOwners | undefined
  /** The folder below which new files are their user's alone. */
  ownerOnlyIn?: string | undefined
  /**
   * Keeps what there was before, so that it can be put back: call it before the command that changes something is sent.
   * Resolves once the disk has it; throws a StepFailure where it cannot be recorded, or this host may no longer act.
   */
  remember?: ((change: DeviceChange) => Promise<void>) | undefined
  openChanges?: OpenChanges | undefined
  /** Where the node is on the screen as it is now; throws a StepFailure where it is not there. */
  boundsOf?: ((matcher: Matcher) => Promise<Bounds>) | undefined
  /** The absolute path for a screenshot, from the one that the action names, if any. */
  screenshotPath: (named: string | undefined) => string | Promise<string>
}

/** Resolves to the data of a successful step; throws StepFailure for a failed one. */
export type HostStep<T extends ActionType> = (
  params: ParamsOf[T],
  options: HostStepOptions,
) => Promise<Record<string, string>>

/** Each action has one of the two, or both. */
export type Performers = {
  readonly [T in ActionType]: {
    /** On the screen, as an operator shows it. */
    readonly screen?: Step<T>
    /** By the host over the link, with shell rights. */
    readonly link?: HostStep<T>
  }
}
