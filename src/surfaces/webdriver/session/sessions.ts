/** Begins and ends sessions, and performs their commands one after the other: each is on record before anything of it happens. */
import type { SessionEmitted } from '../../../../machines/session/session-setup.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { pause } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { SessionCommand } from '../commands/command.ts'
import {
  type CommandEnded,
  NO_COMMAND,
  newSession,
  type OpenSession,
  sessionActor,
  sessionTarget,
  type WebDriverDeps,
} from '../deps.ts'
import { failureData, failureMessage } from '../protocol/failure-error.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import { errorAnswer, valueAnswer, type WireAnswer } from '../protocol/wire.ts'
import { type SessionWish, wishOf } from './capabilities.ts'
import type { LiveSession } from './live-session.ts'
import { notCreated, unrecorded, whyNotCreated } from './not-created.ts'
import { createAskedExecutions } from './session-executions.ts'
import { changeTimeouts, defaultTimeouts } from './timeouts.ts'

/** To install, reset and start an app on a slow phone. */
const OPEN_MS = 6 * 60_000
/** To give a phone back. */
const END_MS = 30_000
const LOST = 'LEASE_NOT_FOUND'
/** So many commands of one session may wait for their turn. */
const COMMANDS_MAX = 100

/** A disk that was full may have space again. */
const RECORD_AGAIN_MS = 500

/** The conditions of a request. */
export interface Asking {
  readonly fileRoots?: readonly string[] | undefined
  readonly leave?: AbortSignal | undefined
}

/** Capabilities of others may hold secrets, so these alone are recorded. */
const RECORDED = ['app', 'appActivity', 'appPackage', 'autoGrantPermissions', 'autoLaunch', 'fullReset', 'noReset']

const recordedWish = ({ capabilities }: SessionWish) =>
  Object.fromEntries(
    RECORDED.flatMap(name => (`appium:${name}` in capabilities ? [[name, capabilities[`appium:${name}`]]] : [])),
  )

const ENDS: Readonly<Record<string, string>> = {
  closing: 'its phone is given back',
  'ended.deleted': 'its client ended it',
  'ended.idle': 'no command came for as long as newCommandTimeout allows',
  'ended.lost': 'the reservation of its phone was lost',
  'ended.closed': 'its server ended',
  'ended.failed': 'it could not be opened',
  'ended.interrupted': 'its process ended',
}

export const createSessions = (deps: WebDriverDeps) => {
  const { clock, ids, host, journal, sessions } = deps
  host.onEmitted((_, emitted) => {
    if (emitted.type === 'session.over') sessions.delete((emitted as SessionEmitted).sessionId)
  })

  const unknown = (sessionId: string): WebDriverError => {
    const actor = sessionActor(sessionId)
    const last = journal.last(actor)
    if (last?.to === 'closing' && host.snapshot(actor)?.context.reason === 'closed')
      return new WebDriverError(
        'invalid session id',
        `The session ${sessionId} is over: its server ends. Create a new one once a server listens again.`,
      )
    const why = last && (ENDS[last.to] ?? 'an event of it could not be recorded')
    const message =
      why === undefined ? `There is no session ${sessionId}.` : `The session ${sessionId} is over: ${why}.`
    return new WebDriverError('invalid session id', `${message} Create a new one with POST /session.`)
  }

  const openOf = (sessionId: string): OpenSession & { live: LiveSession } => {
    const session = sessions.get(sessionId)
    if (!session?.live || session.ended.signal.aborted) throw unknown(sessionId)
    return session as OpenSession & { live: LiveSession }
  }

  const ask = (
    sessionId: string,
    event: { type: string } & Record<string, unknown>,
    ms: number,
    answers: readonly string[],
  ) =>
    host.ask<SessionEmitted>(sessionTarget(sessionId), event, {
      matches: emitted => emitted.sessionId === sessionId && answers.includes(emitted.type),
      until: clock.now() + ms,
    })

  /** Until it is on record, or the next command is, the session counts as busy, and idleness would not end it. */
  const recordEnd = async (session: OpenSession, event: CommandEnded): Promise<void> => {
    const { sessionId, begun, ended } = session
    session.unrecordedEnd = event
    const isWanted = () => session.begun === begun && !ended.signal.aborted
    while (isWanted()) {
      const delivery = await host.tell(sessionTarget(sessionId), event)
      if (delivery.kind === 'told') {
        session.unrecordedEnd = undefined
        return
      }
      await pause(clock, RECORD_AGAIN_MS, ended.signal)
    }
  }

  const perform = async (
    session: OpenSession & { live: LiveSession },
    { method, path }: { method: string; path: string },
    run: (live: LiveSession) => Promise<unknown>,
    asking: Asking,
  ): Promise<WireAnswer> => {
    const { sessionId, live, ended } = session
    if (ended.signal.aborted) throw unknown(sessionId)
    const executionId = ids.at(clock.now())
    const target = sessionTarget(sessionId)
    session.begun += 1
    const delivery = await host.tell(target, { type: 'command.begun', method, path, executionId })
    if (delivery.kind !== 'told') {
      // The end of the command before this one waits for its record no longer: that is taken up again.
      if (session.unrecordedEnd) void recordEnd(session, session.unrecordedEnd)
      const error = unrecorded(
        delivery.kind === 'unrecorded' ? delivery.error.message : 'Another process has the session',
      )
      throw new WebDriverError('unknown error', failureMessage(error), failureData(error))
    }
    session.unrecordedEnd = undefined
    if (ended.signal.aborted) throw unknown(sessionId)
    const askedExecutions = createAskedExecutions()
    let first: string | undefined = executionId
    session.conditions = {
      ...asking,
      takeFirstId() {
        const taken = first
        first = undefined
        return taken
      },
      onExecution: askedExecutions.add,
    }
    const answer = await run(live).then(
      value => ({ wire: valueAnswer(value, askedExecutions.lastActing()), error: null }),
      async (thrown: unknown) => {
        // A command that only looked when its session ended has left nothing in doubt.
        const isOver = ended.signal.aborted && askedExecutions.lastActing() === undefined
        const problem = isOver ? unknown(sessionId) : await heedLoss(session, problemOf(thrown))
        return {
          wire: errorAnswer(problem, askedExecutions.lastActing(problem)),
          error: problem.error,
        }
      },
    )
    session.conditions = NO_COMMAND
    // The next command is recorded behind it, so nobody waits for this record.
    void recordEnd(session, { type: 'command.ended', error: answer.error, executionIds: askedExecutions.ids() })
    return answer.wire
  }

  /** A session whose reservation is over ends at once: others may use its phone. */
  const heedLoss = async (session: OpenSession, problem: WebDriverError): Promise<WebDriverError> => {
    if (problem.data?.code !== LOST) return problem
    const { sessionId, ended, cancelled } = session
    ended.abort()
    cancelled.abort()
    await host.tell(sessionTarget(sessionId), { type: 'lease.lost', code: LOST, message: problem.message })
    return new WebDriverError(
      'invalid session id',
      `The session ${sessionId} is over: ${ENDS['ended.lost']}. Create a new one with POST /session. (${LOST})`,
      problem.data,
    )
  }

  const problemOf = (thrown: unknown): WebDriverError => {
    if (thrown instanceof WebDriverError) return thrown
    deps.note(`a WebDriver command broke: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
    return new WebDriverError('unknown error', `An internal error occurred: ${messageOf(thrown)}.`, {
      code: 'INTERNAL_ERROR',
    })
  }

  return {
    async create(body: Readonly<Record<string, unknown>>, asking: Asking): Promise<LiveSession> {
      const wish = wishOf(body)
      changeTimeouts(defaultTimeouts(), wish.timeouts)
      const sessionId = ids.at(clock.now())
      const session = newSession(sessionId, wish, { ...NO_COMMAND, ...asking })
      sessions.set(sessionId, session)
      const { udid, idleMs } = wish
      const event = { type: 'session.requested', sessionId, wanted: udid ?? null, idleMs, body: recordedWish(wish) }
      const endIt = () => host.tell(sessionTarget(sessionId), { type: 'end.requested', requestId: ids.at(clock.now()) })
      const { leave } = asking
      const giveUp = () => void endIt()
      leave?.addEventListener('abort', giveUp, { once: true })
      const outcome = await ask(sessionId, event, OPEN_MS, ['session.ready', 'session.over'])
      leave?.removeEventListener('abort', giveUp)
      if (outcome.kind === 'answered' && outcome.emitted.type === 'session.ready' && session.live) {
        if (!leave?.aborted) return session.live
        await endIt()
        throw notCreated(failure('EXECUTION_CANCELLED', 'The client left while its session was opened.'))
      }
      if (outcome.kind === 'unrecorded') sessions.delete(sessionId)
      else if (outcome.kind !== 'answered') void endIt()
      throw whyNotCreated(outcome, session, OPEN_MS)
    },
    /** The answer is given once the phone is free. */
    async end(sessionId: string): Promise<void> {
      openOf(sessionId)
      const event = { type: 'end.requested', requestId: ids.at(clock.now()) }
      const outcome = await ask(sessionId, event, END_MS, ['session.over'])
      if (outcome.kind === 'answered') return
      const error = unrecorded(
        outcome.kind === 'unrecorded' ? outcome.error.message : 'The end of the session got no answer',
      )
      throw new WebDriverError('unknown error', failureMessage(error), failureData(error))
    },
    find: openOf,
    list: (): LiveSession[] => [...sessions.values()].flatMap(({ live }) => (live ? [live] : [])),
    /** Commands of one session wait for one another, whichever connections they come by. */
    run(
      sessionId: string,
      command: Pick<SessionCommand, 'method'> & { path: string },
      work: (live: LiveSession) => Promise<unknown>,
      asking: Asking,
    ): Promise<WireAnswer> {
      const session = openOf(sessionId)
      if (session.commands >= COMMANDS_MAX)
        throw new WebDriverError(
          'unknown error',
          `${COMMANDS_MAX} commands of the session wait already: send the next one after an answer.`,
        )
      session.commands += 1
      const turn = session.line.then(() => perform(session, command, work, asking))
      session.line = turn
        .catch(() => {})
        .finally(() => {
          session.commands -= 1
        })
      return turn
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
