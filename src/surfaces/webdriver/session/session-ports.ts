/** The ports of the session machine: they reserve and prepare the phone, keep it, notice that no command comes, and give it back. */
import type { CloseInput, KeepInput, OpenInput, WatchInput } from '../../../../machines/session/session-setup.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { pause } from '../../../runtime/clock.ts'
import type { Port, PortTools } from '../../../runtime/port.ts'
import type { OpenSession, WebDriverDeps } from '../deps.ts'
import { createElementMemories } from '../elements/element-memory.ts'
import { toldCapabilities } from './answered-capabilities.ts'
import { createLiveSession } from './create-live-session.ts'
import { giveUpWhenBroken, undoSession } from './end-of-session.ts'
import { beginInWebView, prepareApp } from './prepare-app.ts'
import { LEASE_MS, reservePhone } from './reserve-phone.ts'
import { callOf, performIn } from './session-executions.ts'
import { changeTimeouts, defaultTimeouts } from './timeouts.ts'

/** The reservation is extended so often that a late extension, or one that gets no answer, does not end it. */
const EXTEND_EVERY_MS = LEASE_MS / 4
/** By then the phone is free, or its reservation ends by itself. */
const RELEASE_MS = 10_000
/** A phone that does not answer is given back all the same. */
const UNDO_MS = 12_000

const sessionOf = ({ sessions }: WebDriverDeps, sessionId: string): OpenSession => {
  const session = sessions.get(sessionId)
  if (!session) throw new Error(`the session ${sessionId} is not of this process`)
  return session
}

/** The phone is free while the process still answers what is in the making. */
const heedEnd = ({ host }: WebDriverDeps, { send }: PortTools) =>
  host.onStop(async () => void (await send({ type: 'host.closing' })))

export const openPort =
  (deps: WebDriverDeps): Port<OpenInput> =>
  async ({ sessionId, wanted }, tools) => {
    const { send, commit } = tools
    const session = sessionOf(deps, sessionId)
    giveUpWhenBroken(deps, session, tools.signal)
    const { wish, conditions } = session
    const refuse = async (error: ErrorObject, executionId?: string) => {
      session.problem = { error, executionId }
      const { code, message, details } = error
      await send({
        type: 'opening.failed',
        code,
        message,
        executionId: executionId ?? null,
        ...(details ? { body: details } : {}),
      })
    }
    const forget = heedEnd(deps, tools)
    try {
      const service = await deps.service()
      const reserved = await reservePhone(wanted ?? undefined, { service, sessionId, call: callOf(session) })
      if (!reserved.ok) return await refuse(reserved.error)
      session.phone = reserved.phone
      const { deviceId, leaseId } = reserved.phone
      if (!(await send({ type: 'phone.reserved', deviceId, leaseId }))) {
        // The session has ended meanwhile, and did not know of the reservation.
        await service['leases.end']({ leaseId }, { context: { caller: 'webdriver', leaseId } })
        return
      }
      const [device, prepared] = await Promise.all([
        service['devices.get']({ deviceId }, callOf(session)),
        prepareApp(wish.app, {
          service,
          deviceId,
          fileRoots: conditions.fileRoots,
          call: () => callOf(session),
          async perform(what, steps, options) {
            const executionId = deps.ids.at(deps.clock.now())
            if (!(await commit({ type: 'preparation.begun', executionId, what })))
              return { ok: false, error: failure('EXECUTION_CANCELLED', 'The session ends.'), steps: [] }
            let first: string | undefined = executionId
            session.conditions = {
              ...conditions,
              takeFirstId: () => {
                const taken = first
                first = undefined
                return taken
              },
            }
            return performIn(session, deps, steps, options)
          },
        }),
      ])
      if (!prepared.ok) return await refuse(prepared.error, prepared.executionId)
      if (!device.ok) return await refuse(device.error)
      const { applicationId } = prepared
      const timeouts = defaultTimeouts()
      changeTimeouts(timeouts, wish.timeouts)
      const capabilities = toldCapabilities({
        capabilities: wish.capabilities,
        device: device.value.device,
        applicationId,
        timeouts,
      })
      const live = await createLiveSession(session, deps, {
        capabilities,
        timeouts,
        ...createElementMemories(() => deps.ids.instance()),
      })
      const elsewhere = await beginInWebView(live, wish, applicationId)
      if (elsewhere) return await refuse(elsewhere)
      session.live = live
      await send({ type: 'session.opened' })
    } finally {
      forget()
    }
  }

export const watchPort =
  ({ clock }: WebDriverDeps): Port<WatchInput> =>
  ({ idleMs }, { send, left }) => {
    if (idleMs === 0) return
    const timer = clock.at(clock.now() + idleMs, () => void send({ type: 'idle.passed' }))
    left.onAbort(() => timer.cancel())
  }

export const keepPort =
  (deps: WebDriverDeps): Port<KeepInput> =>
  async ({ sessionId, leaseId }, tools) => {
    const { send, signal } = tools
    const { clock } = deps
    const session = sessionOf(deps, sessionId)
    giveUpWhenBroken(deps, session, signal)
    const forget = heedEnd(deps, tools)
    let heldUntil = clock.elapsed() + LEASE_MS
    try {
      while (!signal.aborted) {
        await pause(clock, EXTEND_EVERY_MS, signal)
        if (signal.aborted) return
        const askedAt = clock.elapsed()
        const { context } = callOf(session)
        const extended = await (await deps.service())['leases.extend'](
          { leaseId, forMs: LEASE_MS },
          { context, signal },
        )
        if (extended.ok) {
          heldUntil = askedAt + LEASE_MS
          continue
        }
        const { code, message } = extended.error
        if (code === 'LEASE_NOT_FOUND' || clock.elapsed() >= heldUntil)
          return void (await send({ type: 'lease.lost', code, message }))
      }
    } finally {
      forget()
    }
  }

const undoWithin = async (ms: number, session: OpenSession, deps: WebDriverDeps): Promise<void> => {
  const end = new AbortController()
  await Promise.race([undoSession(session, deps), pause(deps.clock, ms, end.signal)])
  end.abort()
}

export const closePort =
  (deps: WebDriverDeps): Port<CloseInput> =>
  async ({ sessionId, leaseId, reason }, { send, signal }) => {
    const session = sessionOf(deps, sessionId)
    giveUpWhenBroken(deps, session, signal)
    session.ended.abort()
    if (reason !== 'closed') session.cancelled.abort()
    if (leaseId === null) return void (await send({ type: 'phone.released' }))
    // Without its reservation, others may have the phone.
    if (reason !== 'lost') await undoWithin(UNDO_MS, session, deps)
    const end = new AbortController()
    const late = pause(deps.clock, RELEASE_MS, end.signal).then(() => undefined)
    const context = { caller: 'webdriver', leaseId } as const
    const released = await Promise.race([(await deps.service())['leases.end']({ leaseId }, { context }), late])
    end.abort()
    const isFree = released?.ok === true || (released?.ok === false && released.error.code === 'LEASE_NOT_FOUND')
    await send(
      isFree
        ? { type: 'phone.released' }
        : {
            type: 'release.failed',
            message: released?.ok === false ? released.error.message : 'The host of the phone did not answer.',
          },
    )
  }
