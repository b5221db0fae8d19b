/** Ends what a session began on its phone, while the phone is still its own: its recording, and the settings that it changed. */
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { UndoNote, UndoWork } from '../../../service/reservations/undo-notes.ts'
import { sessionActor, type WebDriverDeps } from '../deps.ts'
import type { OpenSession } from './open-session.ts'

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
