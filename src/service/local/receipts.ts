/** Receipts of the executions of this host: listed, looked up, cancelled and resumed. */

import { CATALOGUE } from '../../../machines/catalogue.ts'
import { placeIn, queueOf } from '../../../machines/device/device-queue.ts'
import type { ReceiptOutcome } from '../../contracts/executions/evidence.ts'
import { outcomeOf } from '../../contracts/executions/outcome-of.ts'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { defined } from '../../contracts/json/json.ts'
import { EXECUTIONS_SEARCHED_MAX, LIST_LIMIT } from '../../contracts/limits/limits.ts'
import { type ActorFollower, followActor } from '../../runtime/append-as-guest.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal, ReceiptQuery, StoredReceipt } from '../../runtime/journal/journal.ts'
import { isCancelRequested } from '../executions/cancel-requests.ts'
import { toldSteps } from '../executions/completed-steps.ts'
import { cancelledAhead, noReceipt, notCancelled } from '../executions/refusals.ts'
import { resumedBy } from '../executions/resume.ts'
import type { Decided } from '../executions/service.ts'
import { deviceTarget } from '../executions/waiting/waiting-room.ts'
import { namedDevice, withoutKey } from '../executions.ts'
import type { Parts } from '../parts.ts'
import { type Failed, failed, type Service, success } from '../service.ts'
import { createOrderOf } from './order-of.ts'
import { localPicture } from './picture.ts'
import type { Run } from './run.ts'

/** The queue of a device, as the journal has it. */
const followQueue = (journal: Journal, serial: string): ActorFollower =>
  followActor(CATALOGUE.device, journal, deviceTarget(serial).id)

/** 1 for the one whose turn is next; undefined for one that does not wait. Throws JournalError. */
const placeOf = (follower: ActorFollower, executionId: string): number | undefined =>
  placeIn(queueOf(follower.look().snapshot), executionId)

/** Hides the field that only the journal uses; in a fleet, adds the host that has the receipt. */
const shownBy =
  (host: string | undefined) =>
  ({ idempotency: _, ...stored }: StoredReceipt): Receipt => {
    const receipt = { ...stored, outcome: outcomeOf(stored) }
    return host === undefined ? receipt : { ...receipt, host }
  }

/** A blank deviceId counts as not given. */
const queryOf = ({ deviceId, ...rest }: ReceiptQuery): ReceiptQuery => (deviceId?.trim() ? { deviceId, ...rest } : rest)

/** An execution is resumed once: the hint names the one that goes on with it. */
const withResumption = (receipt: Receipt, by: string | undefined): Receipt => {
  if (by === undefined) return receipt
  const { result } = receipt
  if (result?.ok !== false) return { ...receipt, resumedBy: by }
  const error = { ...result.error, hint: `It was resumed: see \`GET /executions/${by}\`.` }
  return { ...receipt, resumedBy: by, result: { ...result, error } }
}

/** A step behind the one that the phone is at has not begun. */
const begunOf = ({ steps = [], doubtfulSteps }: Receipt, running: number): Pick<Receipt, 'doubtfulSteps'> => {
  const begun = steps.slice(0, running + 1).map(({ id }) => id)
  return defined({ doubtfulSteps: doubtfulSteps?.filter(id => begun.includes(id)) })
}

const heldElsewhere = ({ executionId, commandId, deviceId, acceptedAt }: StoredReceipt, pid: number | undefined) =>
  failure(
    'EXECUTION_CONFLICT_IN_FLIGHT',
    'The process that runs this execution has not answered the request to cancel it.',
    {
      details: { executionId, deviceId, holder: { pid, executionId, commandId, since: acceptedAt } },
      hint: 'The request stays recorded. If the process hangs, kill it: its execution is then recorded as interrupted.',
    },
  )

function* each(receipts: Iterable<StoredReceipt>, toReceipt: (receipt: StoredReceipt) => Receipt): Generator<Receipt> {
  for (const receipt of receipts) yield toReceipt(receipt)
}

/** The journal has no index for an outcome, which moves: receipts are judged as they are read, and no more than so many. */
const withOutcome = (receipts: Iterable<Receipt>, { outcome, limit }: { outcome: ReceiptOutcome; limit: number }) => {
  let isCutOff = false
  function* matching(): Generator<Receipt> {
    let [searched, found] = [0, 0]
    for (const receipt of receipts) {
      if (searched === EXECUTIONS_SEARCHED_MAX) {
        isCutOff = true
        return
      }
      searched += 1
      if (receipt.outcome !== outcome) continue
      yield receipt
      found += 1
      if (found === limit) return
    }
  }
  return { executions: matching(), older: () => isCutOff }
}

type Requests = 'executions.list' | 'executions.get' | 'executions.cancel' | 'executions.resume' | 'executions.picture'

export const localReceipts = (
  { executions, receipts, journal, fleetHost: host, ...deps }: Parts,
  run: Run,
): Pick<Service, Requests> => {
  const toReceipt = shownBy(host)
  const orderOf = createOrderOf(deps)
  /** Everybody who looks for an id that was cancelled ahead of its request is told so. */
  const notFound = (executionId: string, otherwise: (executionId: string) => ErrorObject): Failed =>
    failed((isCancelRequested(journal(), executionId) ? cancelledAhead : otherwise)(executionId))
  const withPlace = ({ state, deviceId, executionId }: StoredReceipt): Pick<Receipt, 'place'> => {
    if (state !== 'waiting') return {}
    const place = placeOf(followQueue(journal(), deviceId), executionId)
    return place === undefined ? {} : { place }
  }
  /** Unknown where the journal cannot be opened: its receipts can still be read. */
  const resumptionOf = ({ executionId }: StoredReceipt): string | undefined => {
    try {
      return resumedBy(journal(), executionId)
    } catch (error) {
      if (error instanceof JournalError) return undefined
      throw error
    }
  }
  const withSteps = (receipt: StoredReceipt): Receipt =>
    withResumption(
      { ...toReceipt(receipt), ...withPlace(receipt), ...toldSteps(journal, receipt) },
      resumptionOf(receipt),
    )
  return {
    async 'executions.list'({ outcome, ...query }) {
      const known = await receipts()
      if (outcome === undefined)
        return success({ executions: each(await known.receipts(queryOf(query)), toReceipt), unanswered: [] })
      const newest = await known.receipts({ ...queryOf(query), limit: EXECUTIONS_SEARCHED_MAX + 1 })
      const limit = query.limit ?? LIST_LIMIT.default
      return success({ ...withOutcome(each(newest, toReceipt), { outcome, limit }), unanswered: [] })
    },
    async 'executions.get'({ executionId, waitMs }, { context, signal }) {
      const known = await receipts()
      const receipt = await known.receipt(executionId)
      if (!receipt) return notFound(executionId, noReceipt)
      // A list looks at many.
      const found: Decided = context.isFollowUp ? { receipt } : await known.decided(receipt, { waitMs, signal })
      const { undecided, running } = found
      const execution = withSteps(found.receipt)
      const runningStep = running === undefined ? undefined : execution.steps?.[running]?.id
      const doubtful = running === undefined ? undefined : begunOf(execution, running)
      return success({ ok: true, execution: { ...execution, ...doubtful, ...defined({ runningStep, undecided }) } })
    },
    async 'executions.cancel'({ executionId }) {
      const cancelled = await executions().cancel(executionId)
      if (cancelled.kind === 'unknown') return notFound(executionId, notCancelled)
      if (cancelled.kind === 'elsewhere') return failed(heldElsewhere(cancelled.receipt, cancelled.pid))
      return success({ ok: true, execution: withSteps(cancelled.receipt) })
    },
    /** The device and the operator are those of the receipt unless the caller names others. */
    async 'executions.resume'({ executionId, fromStep, timeoutMs, deviceId, operatorPackage, waitMs }, call) {
      const resumption = await executions().resumption(executionId, defined({ fromStep, timeoutMs }), {
        waitMs,
        signal: call.leave && call.signal ? AbortSignal.any([call.leave, call.signal]) : (call.leave ?? call.signal),
      })
      if (!resumption.ok) return failed(resumption.error)
      const { execution, resumes, screenshots, ...receipt } = resumption.order
      const named = {
        deviceId: namedDevice(deviceId) ?? receipt.deviceId,
        operatorPackage: operatorPackage ?? receipt.operatorPackage ?? null,
        resumes,
        screenshots,
        waitMs,
      }
      const options = withoutKey(call)
      return { ...(await run(orderOf(execution, named, options), options)), steps: execution.actions.length }
    },
    'executions.picture': localPicture({ receipts }),
  }
}
