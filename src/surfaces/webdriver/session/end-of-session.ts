/**
 * The end of a session: what it began on its phone is undone while the phone is still its own; one of which the
 * journal lost an event is given up, and its phone given back.
 */

import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { UndoNote, UndoWork } from '../../../service/reservations/undo-notes.ts'
import { type OpenSession, sessionActor, type WebDriverDeps } from '../deps.ts'

type Deps = Pick<WebDriverDeps, 'host' | 'sessions' | 'service' | 'note'>

/** The next sweep records it as interrupted. A reservation that cannot be ended now ends by itself: nobody extends it. */
const giveUp = async (deps: Deps, { sessionId, ended, cancelled, phone }: OpenSession): Promise<void> => {
  ended.abort()
  cancelled.abort()
  deps.sessions.delete(sessionId)
  if (!phone) return
  const { leaseId } = phone
  const released = await (await deps.service())['leases.end'](
    { leaseId },
    { context: { caller: 'webdriver', leaseId } },
  )
  if (!released.ok && released.error.code !== 'LEASE_NOT_FOUND')
    deps.note(`session ${sessionId} could not give back ${phone.deviceId}: ${released.error.message}`)
}

/** A machine that lost an event is dropped, and its ports are told to stop. */
export const giveUpWhenBroken = (deps: Deps, session: OpenSession, signal: AbortSignal): void => {
  const { sessionId } = session
  signal.addEventListener('abort', () => {
    if (deps.host.snapshot(sessionActor(sessionId)) !== undefined || deps.sessions.get(sessionId) !== session) return
    giveUp(deps, session).catch(error => deps.note(`session ${sessionId} could not give back its phone: ${error}`))
  })
}

/** The note of a change that the session is about to make. */
export const noteOf = (sessionId: string, deviceId: string, work: UndoWork): UndoNote => ({
  deviceId,
  owner: { id: sessionId, actor: sessionActor(sessionId) },
  work,
})

/** Notes what could not be put back. */
export const undoSession = async (session: OpenSession, deps: WebDriverDeps): Promise<void> => {
  const { phone, sessionId } = session
  if (!phone) return
  const { deviceId, leaseId } = phone
  const broken = (thrown: unknown): ErrorObject => failure('INTERNAL_ERROR', messageOf(thrown))
  const context = { caller: 'webdriver', leaseId } as const
  const problem = await deps.undo().undoOwn(deviceId, sessionId, { context }).catch(broken)
  if (problem)
    deps.note(
      `the session ${sessionId} has left ${deviceId} changed: ${problem.message} \`svc device restore\` puts back what svc changed.`,
    )
}
