/** Ends what a session began on its phone, while the phone is still its own: its recording, and the settings that it changed. */
import { failure } from '../../contracts/failures.ts'
import type { Call } from '../../service/service.ts'
import type { WebDriverDeps } from '../deps.ts'
import { RECORDING_OF_SESSION } from './live-session.ts'
import type { OpenSession } from './open-session.ts'
import { executionOf } from './session-executions.ts'

const RESTORE_MS = 10_000

const endRecording = async ({ live }: OpenSession, deviceId: string, call: Call) => {
  const recordingId = live?.positions.get(RECORDING_OF_SESSION)
  if (!live || recordingId === undefined) return
  const { service } = live
  const status = await service['recording.status']({ deviceId }, call)
  // One that ended by its time, or was stopped, may have been followed by a recording of somebody else.
  const isOwn = status.ok && status.value.recording?.recordingId === recordingId
  if (isOwn && status.value.recording?.state === 'recording') await service['recording.stop']({ deviceId }, call)
}

const restoreSettings = async (session: OpenSession, deviceId: string, deps: WebDriverDeps, call: Call) => {
  const { changedSettings, wish } = session
  if (changedSettings.size === 0) return undefined
  const executionId = deps.ids.at(deps.clock.now())
  const step = { type: 'restore_settings', params: { settings: [...changedSettings] } }
  const { operatorPackage } = wish
  const done = await (await deps.service()).execute(
    {
      execution: executionOf(session, executionId, [step], { timeoutMs: RESTORE_MS }),
      deviceId,
      ...(operatorPackage === undefined ? {} : { operatorPackage }),
    },
    { context: { ...call.context, executionId, isFollowUp: true } },
  )
  return done.ok ? done.value.envelope.error : done.error
}

/** Notes what could not be put back. */
export const undoSession = async (session: OpenSession, deps: WebDriverDeps): Promise<void> => {
  const { phone, changedSettings, sessionId } = session
  if (!phone) return
  const { deviceId, leaseId } = phone
  const call: Call = { context: { caller: 'webdriver', leaseId } }
  const broken = (thrown: unknown) => failure('INTERNAL_ERROR', String(thrown))
  const [, problem] = await Promise.all([
    endRecording(session, deviceId, call).catch(() => {}),
    restoreSettings(session, deviceId, deps, call).catch(broken),
  ])
  if (problem)
    deps.note(
      `the session ${sessionId} has left ${[...changedSettings].join(', ')} changed on ${deviceId}: ${problem.message} \`svc device restore\` puts back what svc changed.`,
    )
}
