/** A session of which the journal lost an event: its machine is dropped, so the session is over here, and its phone is given back. */
import { sessionActor, type WebDriverDeps } from '../deps.ts'
import type { OpenSession } from './open-session.ts'

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
