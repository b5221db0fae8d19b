/** One proxied command: asks the table of `dispatch` what comes next, and does it. */
import {
  DISPATCH_STATES,
  type DispatchAction,
  type DispatchFact,
  type DispatchPort,
  type DispatchState,
  type DispatchStep,
  nextRow,
} from '../../../../machines/dispatch/dispatch-table.ts'
import {
  ANSWER_WITHIN_HEADER,
  CALLER_HEADER,
  EXECUTION_ID_HEADER,
  LEASE_HEADER,
  OPERATOR_UNNAMED_HEADER,
  SKILL_RUN_HEADER,
} from '../../../contracts/doors/headers.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { daemonPaths, socketPathProblem } from '../paths.ts'
import type { CancelOptions } from './cancel.ts'
import { answerWait, bodyOf, commandIdOf, hasRelativePath, type ProxyCommand } from './command.ts'
import type { Connection } from './connection.ts'
import type { LostAnswer } from './failures.ts'
import { type OpenOptions, openDaemon } from './open.ts'
import type { Answer } from './response.ts'

export type ProxyResult =
  /** `body` is the text of the answer, a failure included. */
  | {
      kind: 'answered'
      status: number
      body: string
      executionId: string | undefined
      /** The id that the execution was to have; there may be no receipt of it. */
      offeredId: string | undefined
    }
  /** To be run by the caller itself; `notice` says why, unless that is a matter of course. */
  | { kind: 'direct'; notice: string | undefined; isRerun: boolean }
  /** Not to be run again. */
  | {
      kind: 'lost'
      error: ErrorObject
      /** The daemon may still be about to answer: its own wait for the device ends as late as ours for it. */
      isLate?: boolean
    }
  /** The caller was interrupted. */
  | { kind: 'cancelled'; error: ErrorObject }

/** Why a daemon must be started or replaced. */
export type StartReason = 'missed' | 'refused' | 'differed'

export interface ProxyOptions extends Omit<OpenOptions, 'paths'> {
  /** `~/.svc`, or SVC_HOME. */
  home: string
  /** `--no-daemon`, or SVC_NO_DAEMON=1. */
  isDisabled: boolean
  platform: string
  /** Starts or replaces the daemon, the lock being held already. Resolves to why there is none, if so. */
  start(reason: StartReason): Promise<string | undefined>
  /** The execution that was accepted under this commandId since then, if exactly one was. */
  findExecution?: LostAnswer['findExecution'] | undefined
  /** Cancels an execution whose daemon does not answer, and says what its receipt says then. */
  cancelRecorded?: CancelOptions['cancelRecorded'] | undefined
  /** Hears every event of the command. */
  onEvent?: ((event: DispatchFact) => void) | undefined
}

const EXECUTION_ID = EXECUTION_ID_HEADER.toLowerCase()

const REASONS: Partial<Record<DispatchFact['type'], StartReason>> = {
  'daemon.refused': 'refused',
  'daemon.differs': 'differed',
}

const messageIn = (event: DispatchFact) => ('message' in event ? event.message : undefined)

export const proxyCommand = async (command: ProxyCommand, options: ProxyOptions): Promise<ProxyResult> => {
  const { clock, signal, start, findExecution, onEvent } = options
  const { kind, execution, skillRunId, leaseId } = command
  const paths = daemonPaths(options.home, command.device)
  const commandId = commandIdOf(execution)
  const context = { commandId: commandId ?? '', kind }
  const body = bodyOf(command)
  const ms = answerWait(command)
  const head = {
    path: command.path ?? '/execute',
    bodyBytes: body?.length ?? 0,
    headers: {
      [ANSWER_WITHIN_HEADER]: String(ms),
      [CALLER_HEADER]: 'cli',
      ...(skillRunId === undefined ? {} : { [SKILL_RUN_HEADER]: skillRunId }),
      ...(leaseId === undefined ? {} : { [LEASE_HEADER]: leaseId }),
      ...(command.operatorPackage === undefined ? { [OPERATOR_UNNAMED_HEADER]: '1' } : {}),
    },
  }
  let connection: Connection | undefined
  let unlock: (() => void) | undefined
  let lockingBegan: number | undefined
  let sentAt = 0
  let answer: Answer | undefined
  let executionId: string | undefined
  let offeredId: string | undefined
  let error: ErrorObject | undefined

  const dispatchFact = (): DispatchFact => {
    const tooLong = socketPathProblem(paths.socket)
    return {
      type: 'command.given',
      ...context,
      daemonDisabled: options.isDisabled,
      relativePath: hasRelativePath(execution),
      windows: options.platform === 'win32',
      pathTooLong: tooLong !== undefined,
      unfit: body === undefined,
      message: tooLong,
    }
  }

  const unlessInterrupted = (event: DispatchFact): DispatchFact =>
    signal?.aborted ? { type: 'command.interrupted', dispatched: false } : event

  /** Each does one thing outside and says what came of it. */
  const ports: Record<DispatchPort, (cause: DispatchFact) => Promise<DispatchFact> | DispatchFact> = {
    open: async () => {
      const opened = await openDaemon(head, { ...options, paths })
      ;({ connection, offeredId } = opened)
      return unlessInterrupted(opened.event)
    },
    lock: async () => {
      const { lockOnce } = await import('./start.ts')
      lockingBegan ??= clock.elapsed()
      const { event, release } = await lockOnce({ ...options, paths, began: lockingBegan })
      unlock = release
      return unlessInterrupted(event)
    },
    start: async ({ type }) => {
      const message = await start(REASONS[type] ?? 'missed')
      return unlessInterrupted(message === undefined ? { type: 'daemon.started' } : { type: 'daemon.unready', message })
    },
    write: () => {
      if (!connection?.isOpen()) return { type: 'request.failed', message: 'the daemon closed the connection' }
      sentAt = clock.now()
      return { type: 'request.written' }
    },
    receive: async () => {
      const exchanged = await connection?.exchange(body ?? '', { ms, signal })
      if (exchanged?.kind === 'done') {
        answer = exchanged.answer
        executionId = answer.headers[EXECUTION_ID]
        return { type: 'response.received' }
      }
      if (exchanged?.kind !== 'unknown') return { type: 'response.lost', message: 'the connection was closed' }
      if (exchanged.reason === 'interrupted') return { type: 'command.interrupted', dispatched: true }
      if (exchanged.reason === 'late') return { type: 'deadline.passed' }
      executionId = exchanged.headers[EXECUTION_ID]
      return { type: 'response.lost', message: exchanged.message }
    },
    cancel: async () => {
      const cancelled = await (await import('./cancel.ts')).cancelExecution(offeredId, { ...options, paths })
      ;({ answer, error } = cancelled)
      return cancelled.event
    },
  }

  const lost = async (error: string, isLate: boolean): Promise<ProxyResult> => {
    const { lostAnswerError } = await import('./failures.ts')
    const facts = { error, executionId, offeredId, commandId, since: sentAt, findExecution }
    return { kind: 'lost', error: await lostAnswerError(facts), ...(isLate ? { isLate } : {}) }
  }
  const ends: Record<DispatchAction, (event: DispatchFact) => Promise<ProxyResult> | ProxyResult> = {
    answer: () => ({
      kind: 'answered',
      status: answer?.status ?? 0,
      body: String(answer?.body ?? ''),
      executionId,
      offeredId,
    }),
    goDirect: event => ({ kind: 'direct', notice: messageIn(event), isRerun: false }),
    runAgain: event => ({
      kind: 'direct',
      notice: `the answer of the daemon was lost: ${messageIn(event)}`,
      isRerun: true,
    }),
    giveUp: event => lost(messageIn(event) ?? '', false),
    giveUpLate: () => lost(`no answer within ${ms} ms`, true),
    cancel: async event => ({
      kind: 'cancelled',
      error: error ?? (await import('./failures.ts')).cancelledError(event, offeredId),
    }),
  }

  const ask = async (port: DispatchPort, cause: DispatchFact): Promise<DispatchFact> => {
    try {
      return await ports[port](cause)
    } catch (error) {
      return { type: 'port.failed', port, message: messageOf(error) }
    }
  }
  try {
    let state: DispatchState = 'choosing'
    for (let event = dispatchFact(); ; ) {
      onEvent?.(event)
      const row = nextRow(state, event, context)
      if (!row) throw new Error(`the event ${event.type} is not expected in state ${state}`)
      const [, , , target, action] = row
      if (action) return await ends[action](event)
      state = target
      const step: DispatchStep = DISPATCH_STATES[state]
      if (!step.locked) unlock = void unlock?.()
      if (!step.port) throw new Error(`no transition leaves ${state}`)
      event = await ask(step.port, event)
    }
  } finally {
    unlock?.()
    if (answer) connection?.leave()
    else connection?.close()
  }
}
