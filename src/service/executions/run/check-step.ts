/**
 * Guards each step: finds its refs on the present screen, and asks the policy about the application in front where the
 * step touches it.
 */

import { CARDS } from '../../../contracts/actions/cards.ts'
import type { Action } from '../../../contracts/executions/action.ts'
import type { ExecutionResult } from '../../../contracts/executions/execution-result.ts'
import { hasRef } from '../../../contracts/executions/matcher.ts'
import { type FailureCode, failure } from '../../../contracts/failures/failures.ts'
import { LinkError } from '../../../device/link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../../device/link/link-limits.ts'
import type { DeviceSession } from '../../../device/operators/app/session/sessions.ts'
import type { SegmentResult } from '../../../device/operators/app/wire/merge.ts'
import { refusalOf, STOPPED, type UndoneSegment } from '../../../device/operators/segment-outcome.ts'
import type { DispatchGate } from '../../../device/operators/segment-run.ts'
import { foregroundPackageIn, SYSTEM_UI } from '../../../device/operators/shell/windows.ts'
import { capitalised } from '../../../runtime/message-of.ts'
import { type Act, actsOf, evaluateForUnknownApp, evaluatePolicy, firstRefusal } from '../../policy/evaluate-policy.ts'
import { denialOf } from '../../policy/refuse.ts'
import type { ForegroundPolicy } from '../dispatch.ts'
import type { NextIndex } from '../screens/host-snapshot.ts'
import { createRefResolver, STALE_HINT } from '../screens/refs.ts'
import type { ExecutionRun } from './execution-run.ts'

/** The application that the action names itself. */
export const packageNamedBy = ({ type, params }: Action): string | undefined => CARDS[type].appOf?.(params as never)

export const touchesForegroundApp = ({ type, params }: Action): boolean => {
  const { touchesFront } = CARDS[type]
  return typeof touchesFront === 'function' ? touchesFront(params as never) : touchesFront
}

/** Empty when the device does not say. Rejects with a LinkError. */
export const foregroundPackage = async (session: DeviceSession, control: DispatchGate): Promise<string> => {
  const link = await session.link(control.preparing())
  const { stdout } = await link.shell('dumpsys window', { ...control.preparing(), maxBytes: OUTPUT_BYTES_MAX.state })
  return foregroundPackageIn(stdout)
}

/** The first act that the policy refuses with this application in front. */
export const refusedInForeground = (
  acts: readonly Act[],
  inFront: string,
  { policy, facts, confirmed }: ForegroundPolicy,
) =>
  firstRefusal(
    acts.map(act => ({ ...facts, ...act, package: inFront === '' ? undefined : inFront })),
    each => (inFront === '' ? evaluateForUnknownApp : evaluatePolicy)(policy, each, confirmed),
  )

/** The acts of those steps that touch what is in front. */
const foregroundActs = (actions: readonly Action[]): readonly Act[] =>
  actions.filter(touchesForegroundApp).flatMap(actsOf)

/** Why no further step is performed; undefined to go on. */
export type StopReason =
  | undefined
  /** A step failed: its part is the last. The action is the one that was sent. */
  | { kind: 'failed'; part: SegmentResult; action?: Action | undefined }
  /** Nothing that acts was sent. */
  | { kind: 'refused'; result: ExecutionResult }
  | { kind: 'undelivered'; delivery: UndoneSegment }

export interface StepGuard {
  /** Before the screen is switched on: what is denied with the application below needs no phone that is awake. */
  beforeWake(): Promise<StopReason>
  /** Before the first step: every ref of the execution must stand. */
  begin(): Promise<StopReason>
  /** True when this step is checked only after those before it have been performed. */
  mustWait(action: Action): boolean
  before(action: Action, isFirst: boolean): Promise<StopReason>
  /** The step as it may leave the host. */
  withoutRefs(action: Action): Action
  /** The results, where a ref became a point that something may lie over. */
  withDoubts(part: SegmentResult): SegmentResult
}

interface Refusal {
  action: Action
  code: FailureCode
  /** One clause without a full stop. */
  message: string
  details: Record<string, unknown>
  hint?: string | undefined
}

const stepsBefore = (actions: readonly Action[], action: Action): string[] =>
  actions.slice(0, actions.indexOf(action)).map(({ id }) => id)

/** Earlier steps were performed, so the execution has an envelope. */
const failedPart = (
  { action, code, message, details, hint }: Refusal,
  executedSteps: readonly string[],
): SegmentResult => ({
  stepResults: [{ id: action.id, actionType: action.type, success: false, data: { error: code, message } }],
  error: {
    code,
    message: `Step "${action.id}" (${action.type}) failed: ${message}.`,
    details: { ...details, actionId: action.id, actionType: action.type, dispatched: true, executedSteps },
    ...(hint === undefined ? {} : { hint }),
  },
  errorCode: code,
})

export const createStepGuard = (run: ExecutionRun, next: NextIndex): StepGuard => {
  const { executionId, dispatch, session, control } = run
  const { view, inFront, execution } = dispatch
  const resolver = createRefResolver(run, next)
  /** Nothing has happened to the screen since it was looked at. */
  let isFresh = false
  let isWoken = false

  const refuse = (refusal: Refusal, isFirst: boolean): StopReason => {
    if (!isFirst) return { kind: 'failed', part: failedPart(refusal, stepsBefore(execution.actions, refusal.action)) }
    const { code, message, hint } = refusal
    const done = isWoken ? 'only the screen of the device was switched on' : 'nothing was done on the device'
    const details = { ...refusal.details, executionId, dispatched: false, ...(isWoken ? { woken: true } : {}) }
    const error = failure(code, `${capitalised(message)}; ${done}.`, { details, hint })
    return { kind: 'refused', result: { ok: false, error } }
  }

  const isDecidedInFront = (action: Action) => inFront !== undefined && touchesForegroundApp(action)

  /** Checks the steps that touch the application in front against the policy, and records the first denial. */
  const checkFront = async (actions: readonly Action[], isDecisive = (_front: string) => true) => {
    const touching = actions.filter(touchesForegroundApp)
    const [action] = touching
    if (!inFront || !action) return undefined
    const front = await foregroundPackage(session, control)
    if (!isDecisive(front)) return undefined
    const refused = refusedInForeground(foregroundActs(touching), front, inFront)
    if (!refused) return undefined
    const denied = denialOf(refused.verdict, refused.facts)
    await run.recordDenial(denied, { commandId: execution.commandId, executionId })
    return { action, ...denied } satisfies Refusal
  }

  const findRefs = async (actions: readonly Action[], isFirst: boolean): Promise<StopReason> => {
    if (!view) return undefined
    const found = await resolver.resolve(actions, view.device)
    if (found.kind === 'undelivered') return found
    if (found.kind === 'problem') return refuse({ ...found.problem, hint: STALE_HINT }, isFirst)
    isFresh = true
    return undefined
  }

  const reaching = async (work: () => Promise<StopReason>): Promise<StopReason> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LinkError)) throw error
      return { kind: 'undelivered', delivery: control.halt.aborted ? STOPPED : refusalOf(error) }
    }
  }

  /** The first step, and all steps with refs: the policy must allow the screen on which the refs are sought. */
  const atFirst = (): readonly Action[] => execution.actions.filter((action, index) => index === 0 || hasRef(action))

  return {
    beforeWake: () =>
      reaching(async () => {
        // Below a keyguard nothing is known: then the phone is woken, and the application asked for again.
        const denied = await checkFront(atFirst(), front => front !== '' && front !== SYSTEM_UI)
        isWoken = !denied
        return denied && refuse(denied, true)
      }),
    begin: () =>
      reaching(async () => {
        const denied = await checkFront(atFirst())
        return denied ? refuse(denied, true) : findRefs(execution.actions, true)
      }),
    mustWait: action => isDecidedInFront(action) || (hasRef(action) && !isFresh),
    before: (action, isFirst) =>
      reaching(async () => {
        const denied = await checkFront([action])
        if (denied) return refuse(denied, isFirst)
        return hasRef(action) && !isFresh ? findRefs([action], isFirst) : undefined
      }),
    withoutRefs(action) {
      isFresh &&= CARDS[action.type].isStill === true
      const plain = resolver.withoutRefs(action)
      if (hasRef(plain)) throw new Error(`a ref of step ${action.id} was about to leave the host`)
      return plain
    },
    withDoubts: part => ({
      ...part,
      stepResults: part.stepResults.map(step =>
        step.success && resolver.isUnsure(step.id)
          ? { ...step, data: { ...step.data, covered_by_unknown: 'true' } }
          : step,
      ),
    }),
  }
}
