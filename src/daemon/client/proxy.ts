/** One proxied command: through the daemon when the selection rules say so, and never sent twice. */
import { mayRerunDirect } from '../../../machines/dispatch-rules.ts'
import type { ErrorObject } from '../../contracts/error.ts'
import type { DispatchEvent } from '../../contracts/events/dispatch.ts'
import type { Unstamped } from '../../contracts/events/event.ts'
import { SKILL_RUN_HEADER } from '../../contracts/skill-run-id.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Version } from '../build-identity.ts'
import { homeProblem } from '../home.ts'
import { daemonPaths, socketPathProblem } from '../paths.ts'
import { answerWait, bodyOf, commandIdOf, hasRelativePath, type ProxyCommand } from './command.ts'
import { ensureDaemon } from './ensure.ts'
import type { Exchanged, Link } from './link.ts'
import type { LostOptions } from './lost.ts'
import { EXECUTION_ID, postRequest } from './requests.ts'
import type { Need } from './seek.ts'

export type Proxied =
  /** `body` is the text of the answer, a failure included. */
  | { kind: 'answered'; status: number; body: string; executionId: string | undefined }
  /** To be run by the caller itself; `notice` says why where that is no matter of course. */
  | { kind: 'direct'; notice: string | undefined; isRerun: boolean }
  /** Not to be run again. */
  | {
      kind: 'lost'
      error: ErrorObject
      /** The daemon may still be about to answer: its own wait for the device ends as late as ours for it. */
      isLate?: boolean
    }

type Lost = Extract<Proxied, { kind: 'lost' }>

export interface ProxyOptions {
  /** `~/.svc`, or SVC_HOME. */
  home: string
  /** `--no-daemon`, or SVC_NO_DAEMON=1. */
  isDisabled: boolean
  platform: string
  /** Of this CLI. */
  version: Version
  reach: string
  clock: Clock
  signal?: AbortSignal | undefined
  /** Starts or replaces the daemon, the lock being held already: the part that takes long to load. */
  start(need: Need): Promise<string | undefined>
  /** The execution that was accepted under this commandId since then, if exactly one was. */
  findExecution?: LostOptions['findExecution'] | undefined
  /** Hears what the machine `dispatch` would. */
  onEvent?: ((event: Unstamped<DispatchEvent>) => void) | undefined
}

const INTERRUPTED = 'interrupted while waiting for the answer'

const direct = (notice?: string, isRerun = false): Proxied => ({ kind: 'direct', notice, isRerun })

/** What went wrong is put into words by a part that is loaded when something has. */
const words = () => import('./lost.ts')

const send = async (link: Link, command: ProxyCommand, options: ProxyOptions): Promise<Proxied> => {
  const { clock, signal, onEvent } = options
  const { skillRunId } = command
  const request = postRequest(
    '/execute',
    bodyOf(command),
    skillRunId === undefined ? {} : { [SKILL_RUN_HEADER]: skillRunId },
  )
  const ms = answerWait(command.execution)
  if (!link.isOpen()) {
    const message = 'the daemon closed the connection before anything was sent'
    onEvent?.({ type: 'request.failed', message })
    return direct(message)
  }
  const since = clock.now()
  onEvent?.({ type: 'request.written' })
  const exchanged = await link.exchange(request, { ms, signal })
  link.leave()

  const lost = async (error: string, headers: Readonly<Record<string, string>> = {}): Promise<Lost> => {
    const { findExecution } = options
    const executionId = headers[EXECUTION_ID]
    const commandId = commandIdOf(command.execution)
    const { lostAnswer } = await words()
    return { kind: 'lost', error: await lostAnswer({ error, executionId, commandId, since, findExecution }) }
  }
  return conclude(exchanged, { command, ms, lost, onEvent })
}

interface Conclusion extends Pick<ProxyOptions, 'onEvent'> {
  command: ProxyCommand
  ms: number
  lost(error: string, headers?: Readonly<Record<string, string>>): Promise<Lost>
}

const conclude = async (exchanged: Exchanged, { command, ms, lost, onEvent }: Conclusion): Promise<Proxied> => {
  switch (exchanged.kind) {
    case 'answered': {
      const { status, headers, body } = exchanged.answer
      onEvent?.({ type: 'response.received' })
      return { kind: 'answered', status, body: body.toString(), executionId: headers[EXECUTION_ID] }
    }
    case 'interrupted':
      onEvent?.({ type: 'command.interrupted', dispatched: true })
      return lost(INTERRUPTED)
    case 'late':
      onEvent?.({ type: 'deadline.passed' })
      return { ...(await lost(`no answer within ${ms} ms`)), isLate: true }
    default: {
      const { message } = exchanged
      onEvent?.({ type: 'response.lost', message })
      if (mayRerunDirect(command.kind)) return direct(`the answer of the daemon was lost: ${message}`, true)
      return lost(message, exchanged.kind === 'lost' ? exchanged.headers : {})
    }
  }
}

export const proxyCommand = async (command: ProxyCommand, options: ProxyOptions): Promise<Proxied> => {
  const { isDisabled, platform, signal, onEvent } = options
  const { kind, execution, device } = command
  const paths = daemonPaths(options.home, device)
  const relativePath = hasRelativePath(execution)
  const windows = platform === 'win32'
  const tooLong = socketPathProblem(paths.socket)
  const facts = { daemonDisabled: isDisabled, relativePath, windows, pathTooLong: tooLong !== undefined }
  onEvent?.({ type: 'command.given', commandId: commandIdOf(execution) ?? '', kind, ...facts })
  if (isDisabled || relativePath || windows) return direct()
  if (tooLong) return direct(tooLong)

  const problem = homeProblem(paths)
  if (problem) {
    onEvent?.({ type: 'daemon.unready', message: problem })
    return direct(problem)
  }
  const ensured = await ensureDaemon({ ...options, paths })
  if (signal?.aborted) {
    if (ensured.kind === 'ready') ensured.link.close()
    onEvent?.({ type: 'command.interrupted', dispatched: false })
    return { kind: 'lost', error: (await words()).interruptedBefore() }
  }
  if (ensured.kind !== 'ready') {
    const { notice } = ensured
    onEvent?.(ensured.kind === 'foreign' ? { type: 'daemon.foreign' } : { type: 'daemon.unready', message: notice })
    return direct(notice)
  }
  onEvent?.({ type: 'daemon.ready' })
  return send(ensured.link, command, options)
}
