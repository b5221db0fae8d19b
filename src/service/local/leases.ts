/** The reservations of the devices of this host. */
import { ANY_DEVICE } from '../../contracts/any-device.ts'
import type { RequestContext } from '../../contracts/doors/request-context.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { LeaseBody } from '../../contracts/reservation.ts'
import { asFailure } from '../executions/refusals.ts'
import { testRunOf } from '../flows/read-test-run.ts'
import type { Parts } from '../parts.ts'
import { anyLineFull } from '../reservations/any-line.ts'
import type { LeaseAnswer } from '../reservations/reservations.ts'
import { processEnds } from '../reservations/reserve-refusals.ts'
import { failed, type RequestOptions, type Result, type Service, success } from '../service.ts'
import type { Requests } from './groups.ts'
import { answering } from './run.ts'

type Answered = Awaited<ReturnType<Service['leases.create']>>
/** Bounds finding the device and opening the link. */
const OPEN_MS = 20_000

const READY = 'device'

const CONFLICT = 'EXECUTION_CONFLICT_IN_FLIGHT'

/** In a fleet a conflict names the host whose process has the device. */
const located = (error: ErrorObject, host: string | undefined): ErrorObject =>
  host === undefined || error.code !== CONFLICT ? error : { ...error, details: { host, ...error.details } }

/** The runner of flows names the attempt in each request. */
const isOfFlow = ({ caller, skillRunId }: RequestContext, flowRunId: string): boolean =>
  caller === 'flow' && skillRunId === flowRunId

/** A reservation says whom it is for to those who are refused, so nobody makes one in the name of another. */
const claimProblem = (
  { flowRunId, sessionId }: Pick<LeaseBody, 'flowRunId' | 'sessionId'>,
  context: RequestContext,
): ErrorObject | undefined => {
  const isForeignFlow = flowRunId !== undefined && !isOfFlow(context, flowRunId)
  if (!isForeignFlow && (sessionId === undefined || context.caller === 'webdriver')) return undefined
  const [field, maker] = isForeignFlow ? ['flowRunId', 'the runner of that flow'] : ['sessionId', 'a WebDriver session']
  return failure('INVALID_BODY', `Only ${maker} reserves a device with ${field}.`, {
    details: { field },
    hint: `Leave ${field} out; say what the reservation is for in note.`,
  })
}

const cancelHint = (flowRunId: string): string =>
  `The attempt gives the device back when it ends. To end it now, cancel its run: \`DELETE /test-runs/${testRunOf(flowRunId)}\`, or interrupt the command that runs it.`

export const requests = ({
  openDevice,
  listDevices,
  reservations,
  clock,
  fleetHost: host,
  undo,
  note,
}: Parts): Requests<'leases'> => {
  const answered = (answer: LeaseAnswer) =>
    answer.ok
      ? success({ ok: true as const, lease: answer.lease }, { deviceId: answer.lease.deviceId })
      : failed(located(answer.error, host))
  const asking = <T>(work: () => Promise<Result<T>>) =>
    answering<T>(() => work(), { what: 'a request about a reservation', note })

  const reserveNamed: Service['leases.create'] = async (
    { device, forMs, waitMs = 0, sessionId = null, flowRunId, note: text },
    { signal, leave = signal },
  ) => {
    const call = { deadline: clock.now() + OPEN_MS, signal }
    const began = clock.elapsed()
    const reached = await openDevice(device, call).catch(thrown => ({
      ok: false as const,
      error: asFailure(thrown),
    }))
    if (!reached.ok) return failed(reached.error)
    const { deviceId, link } = reached
    const phone = await reservations()
      .phoneOf(link, call)
      .then(
        key => ({ ok: true as const, key }),
        (thrown: unknown) => ({ ok: false as const, error: asFailure(thrown) }),
      )
    if (!phone.ok) return failed(phone.error, { deviceId })
    // The phone may have been left by a process that has just died.
    undo?.().lookAgain()
    const leftMs = Math.max(0, Math.floor(waitMs - (clock.elapsed() - began)))
    const wanted = { deviceId, phone: phone.key, forMs, waitMs: waitMs === 0 ? 0 : Math.max(1, leftMs), sessionId }
    return answered(await reservations().create({ ...wanted, flowRunId, note: text, leave }))
  }

  /** Whichever is free, and after that the first that becomes free; the first refusal says why none was. */
  const reserveAny: Service['leases.create'] = async (input, call) => {
    const { waitMs = 0 } = input
    const { signal = new AbortController().signal, leave = signal } = call
    const take = async (): Promise<Answered> => {
      const ready = (await listDevices(signal)).filter(({ state }) => state === READY)
      let refused: Answered | undefined
      for (const { serial } of ready) {
        const made = await reserveNamed({ ...input, device: serial, waitMs: 0 }, call)
        if (made.ok || leave.aborted) return made
        refused ??= made
      }
      // Without any, the choice of a device words the refusal.
      return refused ?? reserveNamed({ ...input, device: '' }, call)
    }
    const line = reservations().anyLine
    if (waitMs > 0 && line.isFull()) return failed(anyLineFull())
    const interrupted = () => failed(processEnds())
    return line.wait<Answered>({ waitMs, leave, take, isFinal: ({ ok }) => ok, interrupted })
  }

  /** An attempt of a flow changes its reservation itself: the flow would go on without its phone. */
  const change = (leaseId: string, { context }: RequestOptions, work: () => Promise<LeaseAnswer>) =>
    asking(async () => {
      const found = reservations().check(leaseId)
      const flowRunId = found.ok ? found.lease.flowRunId : undefined
      if (found.ok && flowRunId !== undefined && !isOfFlow(context, flowRunId)) {
        const refused = reservations().conflictWith(leaseId, found.lease.deviceId)
        if (refused) return failed(located({ ...refused, hint: cancelHint(flowRunId) }, host))
      }
      return answered(await work())
    })

  return {
    'leases.create': (input, call) =>
      asking(async () => {
        const problem = claimProblem(input, call.context)
        if (problem) return failed(problem)
        return input.device.trim() === ANY_DEVICE ? reserveAny(input, call) : reserveNamed(input, call)
      }),
    'leases.extend': ({ leaseId, forMs }, call) => change(leaseId, call, () => reservations().extend(leaseId, forMs)),
    'leases.end': ({ leaseId }, call) => change(leaseId, call, () => reservations().end(leaseId)),
    'leases.list': () =>
      asking(async () => {
        const leases = reservations().list()
        return success({ ok: true as const, leases, count: leases.length })
      }),
  }
}
