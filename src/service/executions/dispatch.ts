/** An order becomes a dispatch once its device is found: the body of `execution.requested`, which the operator port reads. */

import type { Execution } from '../../contracts/executions/execution.ts'
import { hasRef } from '../../contracts/executions/matcher.ts'
import type { Policy } from '../../contracts/policy.ts'
import type { PolicyFacts } from '../policy/evaluate-policy.ts'
import type { ExecutionOrder } from './order.ts'

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

/** An order whose device is found. Its files, its wording, and that another host sent it go along unchanged. */
export interface Dispatch extends Pick<ExecutionOrder, 'screenshots' | 'fileRoots' | 'input' | 'isSent'> {
  /** Canonical: validated, aliases resolved, defaults filled in. */
  execution: Execution
  /** The name as the caller gave it, in any form, or the one that was chosen for the device. */
  operatorPackage: string
  /** The serial by which the debug bridge lists the device; the `deviceId` of the answer. */
  serial: string
  /** The key under which the phone is owned; absent in what earlier versions recorded. */
  phone?: string | undefined
  /** Under which the host owned the phone when it was accepted. */
  epoch?: number | undefined
  /** Left out when neither refs nor anything else of it was asked for. */
  view?: ScreenView | undefined
  /** Left out when no rule asks which application is in front. */
  inFront?: ForegroundPolicy | undefined
  /** The policy does not let the caller see the screen, or it depends on an application for which nobody asks. */
  isScreenHidden?: true | undefined
}

/** Undefined for an execution that asks nothing of the host but what the contract has. */
const screenViewOf = ({ execution, view }: ExecutionOrder, device: string): ScreenView | undefined => {
  const { format, since, observe = false } = view ?? {}
  const isCompact = format === 'compact' || (since !== undefined && format === undefined)
  if (!isCompact && !observe && since === undefined && !execution.actions.some(hasRef)) return undefined
  return { device, isCompact, isObserved: observe, ...(since === undefined ? {} : { since }) }
}

type Found = Pick<Dispatch, 'operatorPackage' | 'serial' | 'epoch' | 'inFront' | 'isScreenHidden'> & { phone: string }

/** Absent facts are left out: each record holds what stands here as long as it is kept. */
export const dispatchOf = (order: ExecutionOrder, found: Found): Dispatch => {
  const { execution, screenshots, input, isSent, fileRoots } = order
  const { operatorPackage, serial, phone, epoch, inFront, isScreenHidden } = found
  const view = screenViewOf(order, phone)
  return {
    execution,
    operatorPackage,
    serial,
    screenshots,
    phone,
    epoch,
    ...(input === undefined ? {} : { input }),
    ...(isSent === undefined ? {} : { isSent }),
    ...(fileRoots === undefined ? {} : { fileRoots }),
    ...(view ? { view } : {}),
    ...(inFront ? { inFront } : {}),
    ...(isScreenHidden ? { isScreenHidden } : {}),
  }
}

/** The body comes from this process's own code: what is checked is that it is a dispatch at all. */
export const readDispatch = (body: unknown): Dispatch => {
  const dispatch = body as Partial<Dispatch> | null | undefined
  if (
    typeof dispatch?.serial !== 'string' ||
    typeof dispatch.operatorPackage !== 'string' ||
    !Array.isArray(dispatch.execution?.actions)
  ) {
    throw new TypeError('the execution was requested without what the operator is to do')
  }
  return dispatch as Dispatch
}
