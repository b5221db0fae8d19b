/** The session that commands work with, over the phone that was reserved for it. */
import { type OpenSession, sessionActor, type WebDriverDeps } from '../deps.ts'
import { webDriverErrorOf } from '../protocol/failure-error.ts'
import type { LiveSession, SessionElements, SessionTimeouts } from './live-session.ts'
import { callOf, lookIn, performIn } from './session-executions.ts'

export interface LiveParts {
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly timeouts: SessionTimeouts
  readonly elements: SessionElements
  readonly webElements: LiveSession['webElements']
}

export const createLiveSession = async (
  session: OpenSession,
  deps: WebDriverDeps,
  { capabilities, timeouts, elements, webElements }: LiveParts,
): Promise<LiveSession> => {
  const { sessionId, phone, ended } = session
  if (!phone) throw new Error(`the session ${sessionId} has no phone`)
  const perform: LiveSession['perform'] = (steps, options) => performIn(session, deps, steps, options)
  return {
    sessionId,
    deviceId: phone.deviceId,
    capabilities,
    timeouts,
    settings: new Map(),
    positions: new Map(),
    clock: deps.clock,
    context: 'NATIVE_APP',
    web: undefined,
    screenSize: undefined,
    service: await deps.service(),
    ended: ended.signal,
    elements,
    webElements,
    screens: deps.screens,
    call: () => callOf(session),
    startRecording: how =>
      deps
        .undo()
        .startRecording(
          { id: sessionId, actor: sessionActor(sessionId) },
          { deviceId: phone.deviceId, ...how },
          callOf(session),
        ),
    perform,
    async act(steps, options) {
      const done = await perform(steps, options)
      if (done.ok) return done.steps
      throw webDriverErrorOf(done.error, done.executionId)
    },
    look: () => lookIn(session, deps),
  }
}
