/** Requests about one execution: answered here, or by the host of the fleet that has it. */
import { failure } from '../../contracts/failures/failures.ts'
import { pause } from '../../runtime/clock.ts'
import { endedEarly } from '../../service/executions/cancel-requests.ts'
import { pathsToResume, rememberPaths } from '../../service/executions/picture-paths.ts'
import { fetchPictures, stepsOf } from '../../service/pictures.ts'
import {
  type Failed,
  failed,
  type InputOf,
  type OutputOf,
  type RequestOptions,
  type Result,
  type Service,
  success,
} from '../../service/service.ts'
import type { Fleet } from '../fleet.ts'
import { isPlacement } from '../membership/labels.ts'
import { executionUnanswered, unreachable } from '../refusals.ts'
import { isWithout, LOOK_MS, type Location, locate, sentOn, UNKNOWN, unheard } from './ask-hosts.ts'
import { type FleetDeps, refusalHere } from './run.ts'

/** Hosts that have not said that they are without it may have what no other host has. */
const namingSilent = <T>(
  result: Result<T>,
  { context }: RequestOptions,
  fleet: Fleet,
  without: ReadonlySet<string>,
): Result<T> => {
  if (result.ok || context.sent || result.error.code !== UNKNOWN) return result
  const gone = unheard(fleet, without)
  // Without a view of the fleet there may be hosts that this one does not know.
  if (gone.length === 0 && fleet.isUp()) return result
  const { error } = result
  // Its cancellation is on record at those alone that answer.
  const { cancelled: _, ...details } = error.details ?? {}
  const hint =
    gone.length === 0
      ? 'This host cannot reach the fleet, whose other hosts may have it. Ask again when `GET /fleet` shows a connection.'
      : `Hosts that do not answer may have it: ${gone.join(', ')}. Ask again when they are back.`
  return { ...result, error: { ...error, details: gone.length === 0 ? details : { ...details, gone }, hint } }
}

/** How long it is until a silent host is looked for again. */
const SILENT_LOOK_MS = 500

const signalsOf = ({ signal, leave }: RequestOptions): AbortSignal[] =>
  [signal, leave].filter(each => each !== undefined)

type Resume = InputOf<'executions.resume'>

/** An execution is resumed on its own host, which knows a device by the serial there, and judges one that the fleet does not know. */
const onItsHost = (input: Resume, host: string, fleet: Fleet): Result<Resume> => {
  const { deviceId, executionId } = input
  if (!deviceId?.trim()) return success(input)
  const at = deviceId.lastIndexOf('@')
  const named = deviceId.slice(at + 1).trim()
  if (at > 0 && named === host) return success({ ...input, deviceId: deviceId.slice(0, at).trim() })
  const placed = fleet.place(deviceId.trim())
  const row = placed.ok ? placed.candidates.find(candidate => candidate.host === host) : undefined
  if (row) return success({ ...input, deviceId: row.serial })
  const isOfFleet = placed.ok || isPlacement(deviceId.trim()) || (at > 0 && fleet.knows(named))
  if (!isOfFleet) return success(input)
  return failed(
    failure('RESUME_REFUSED', `Host ${host} has the execution, and ${deviceId} is no device of it.`, {
      details: { executionId, host, deviceId, dispatched: false },
      hint: `Name a device of host ${host} as <serial>@${host}, or leave the device out to resume on the same one.`,
    }),
  )
}

type Looks = 'executions.get' | 'executions.trace' | 'executions.traceFile' | 'executions.picture' | 'parcels.get'
type Requests = Looks | 'executions.cancel' | 'executions.resume'

export const fleetExecutions = (ownService: Service, deps: FleetDeps): Pick<Service, Requests> => {
  const { fleet, peer, journal, executions, screenshots, clock } = deps
  const isOwn = (executionId: string) =>
    journal().receipt(executionId) !== undefined ||
    executions().isHere(executionId) ||
    endedEarly(journal(), executionId) !== undefined

  /** Undefined for an execution that this host has, or that nobody else is known to have. */
  const elsewhere = async (
    executionId: string,
    call: RequestOptions,
    without: Set<string>,
  ): Promise<Location | undefined> => {
    if (call.context.sent || isOwn(executionId)) return undefined
    const location = await locate(executionId, call, deps, without)
    return location?.host === fleet.host ? undefined : location
  }

  /** A look at the receipt gets what its host had told by then. */
  const asToldBefore = ({ host, mirrored }: Location, executionId: string): Result<OutputOf<'executions.get'>> => {
    if (!mirrored) return unanswered({ host, mirrored }, executionId)
    const undecided = `host ${host}, which has its record, does not answer`
    const doubt = mirrored.outcome === 'unknown' ? { undecided } : {}
    return success({ ok: true, execution: { ...mirrored, ...doubt } }, { host })
  }

  const unanswered = ({ host, mirrored }: Location, executionId: string): Failed =>
    failed(executionUnanswered(host, mirrored ?? { executionId }), { executionId, host })

  /** `whenSilent` answers for a host that does not. */
  const atItsHost =
    <Id extends Looks>(
      id: Id,
      whenSilent: (location: Location, executionId: string) => Result<OutputOf<Id>> = unanswered,
    ) =>
    async (input: { executionId: string } & InputOf<Id>, call: RequestOptions): Promise<Result<OutputOf<Id>>> => {
      const ask = (service: Service, options: RequestOptions) =>
        (service[id] as (input: InputOf<Id>, call: RequestOptions) => Promise<Result<OutputOf<Id>>>)(input, options)
      const { executionId } = input
      const without = new Set<string>()
      const location = await elsewhere(executionId, call, without)
      if (!location) return namingSilent(await ask(ownService, call), call, fleet, without)
      if (!fleet.isAlive(location.host)) return whenSilent(location, executionId)
      const result = await ask(peer(location.host), sentOn(call, fleet))
      return !result.ok && result.unanswered ? whenSilent(location, executionId) : result
    }

  /** Whichever host its request comes to is to run nothing under the id, so all of them put it on record. */
  const cancelEverywhere = async (
    input: InputOf<'executions.cancel'>,
    call: RequestOptions,
    without: Set<string>,
  ): Promise<Result<OutputOf<'executions.cancel'>>> => {
    const { context, ...rest } = sentOn(call, fleet)
    const bounded = { ...rest, context: { ...context, answerWithinMs: LOOK_MS } }
    const answering = [...without]
    without.clear()
    const others = answering.map(async host => {
      const there = await peer(host)['executions.cancel'](input, bounded)
      if (isWithout(there)) without.add(host)
      return there
    })
    const all = await Promise.all([ownService['executions.cancel'](input, call), ...others])
    const [here] = all
    // One that has accepted it since, and could cancel it or not.
    return all.find(({ ok }) => ok) ?? all.find(one => !one.ok && !one.unanswered && one.error.code !== UNKNOWN) ?? here
  }

  return {
    async 'executions.get'({ waitMs = 0, ...input }, call) {
      const until = clock.elapsed() + waitMs
      for (;;) {
        const leftMs = Math.max(0, Math.ceil(until - clock.elapsed()))
        let isSilent = false
        const look = atItsHost('executions.get', (location, executionId) => {
          isSilent = true
          return asToldBefore(location, executionId)
        })
        const found = await look({ ...input, ...(leftMs > 0 ? { waitMs: leftMs } : {}) }, call)
        const isKnown = found.ok && found.value.execution.outcome !== 'unknown'
        if (!isSilent || isKnown || leftMs === 0 || fleet.ended.aborted || call.signal?.aborted) return found
        await pause(clock, Math.min(SILENT_LOOK_MS, leftMs), AbortSignal.any([fleet.ended, ...signalsOf(call)]))
      }
    },
    async 'executions.cancel'(input, call) {
      const without = new Set<string>()
      const location = await elsewhere(input.executionId, call, without)
      if (location && !fleet.isAlive(location.host)) return unanswered(location, input.executionId)
      if (location) return peer(location.host)['executions.cancel'](input, sentOn(call, fleet))
      if (call.context.sent || isOwn(input.executionId)) return ownService['executions.cancel'](input, call)
      return namingSilent(await cancelEverywhere(input, call, without), call, fleet, without)
    },
    'executions.trace': atItsHost('executions.trace'),
    'executions.traceFile': atItsHost('executions.traceFile'),
    'executions.picture': atItsHost('executions.picture'),
    'parcels.get': atItsHost('parcels.get'),
    async 'executions.resume'(input, call) {
      const { executionId } = input
      const without = new Set<string>()
      const location = await elsewhere(executionId, call, without)
      const host = location?.host ?? fleet.host
      const named = call.context.sent ? success(input) : onItsHost(input, host, fleet)
      if (!named.ok) return named
      if (!location) {
        const refusal = refusalHere(deps, call)
        if (refusal) return failed(refusal)
        return namingSilent(await ownService['executions.resume'](named.value, call), call, fleet, without)
      }
      if (!fleet.isUp()) return failed(unreachable(host))
      if (!fleet.isAlive(host)) return unanswered(location, executionId)
      const { context } = call
      const chosen = context.executionId ?? fleet.newExecutionId()
      // The bound of a stranger is judged where the timeout is known.
      const bound = context.isStranger ? { answerWithinMs: undefined } : {}
      const sent = { ...sentOn(call, fleet).context, ...bound, executionId: chosen }
      const folder = screenshots.newFilesIn
      const paths = context.fetchesPictures
        ? undefined
        : await pathsToResume(folder, executionId, peer(host), sentOn(call, fleet))
      if (paths) await rememberPaths(folder, chosen, paths)
      const result = await peer(host)['executions.resume'](named.value, { ...call, context: sent })
      if (context.fetchesPictures) return result
      const accepted = result.executionId ?? chosen
      return fetchPictures(result, {
        host,
        executionId: accepted,
        folder,
        ownerOnlyIn: screenshots.ownerOnlyIn,
        ...(paths ? { paths } : {}),
        steps: stepsOf(result),
        service: peer(host),
        call,
      })
    },
  }
}
