/**
 * Asks the daemon to take a command, before a byte of its body is sent. The head of the request names the instance and
 * the build that it is for; the daemon that has both says `100 Continue`, and any other one refuses with 412.
 */

import {
  EXPECT_BUILD_HEADER,
  EXPECT_INSTANCE_HEADER,
  INSTANCE_HEADER,
  OFFERED_ID_HEADER,
} from '../../../contracts/doors/headers.ts'
import type { DispatchEvent } from '../../../contracts/events/dispatch.ts'
import type { Unstamped } from '../../../contracts/events/event.ts'
import { DAEMON_PING_MS } from '../../../contracts/limits/limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { LockAttempt } from '../../../runtime/files/lock-file.ts'
import { parseObject } from '../../../runtime/files/small-file.ts'
import { buildText, isSameVersion, liveOwner, type Owner, parseVersion, type Version } from '../identity.ts'
import { type DaemonPaths, homeProblem } from '../paths.ts'
import { isHungUp, type NoProbeAnswer, probeFailure, probeSocket } from '../probe.ts'
import { CONTINUE, type Connect, type Connection, type Headers, openConnection, postHead } from './connection.ts'
import type { Answer } from './response.ts'

/** A client asks the system about a daemon through this, so that a simulated system can answer. */
export interface ClientSystem {
  connect: Connect
  /** The live process that the metadata names. */
  ownerOf(metadataPath: string): Owner | undefined
  /** Why no daemon can be used here. */
  homeProblem(paths: DaemonPaths): string | undefined
  /** Tries once to take the lifecycle lock. */
  tryLock(paths: DaemonPaths): LockAttempt
}

export interface OpenOptions {
  paths: DaemonPaths
  clock: Clock
  /** The version of the caller. */
  version: Version
  environment: string
  /** The real one unless told. */
  system?: ClientSystem | undefined
  signal?: AbortSignal | undefined
}

export interface RequestHead {
  path: string
  bodyBytes: number
  headers: Headers
}

type Fact = Unstamped<DispatchEvent>

/** With a connection exactly when the daemon is ready: it waits for the body there. */
export interface Opened {
  event: Fact
  connection?: Connection
  /** The id that the execution gets once it is accepted. */
  offeredId?: string | undefined
}

const ownerOf = ({ metadata }: DaemonPaths, system: ClientSystem | undefined): Owner | undefined =>
  (system?.ownerOf ?? liveOwner)(metadata)

const unready = (message: string): Opened => ({ event: { type: 'daemon.unready', message } })

const foreign = ({ socket }: DaemonPaths): Opened => ({
  event: { type: 'daemon.foreign', message: `${socket} belongs to a listener that svc did not start` },
})

const unanswered = ({ kind, message }: NoProbeAnswer, { paths, system }: OpenOptions): Opened => {
  if (kind === 'unreachable') return unready(`the daemon cannot be reached: ${message}`)
  if (kind !== 'silent') return { event: { type: `daemon.${kind}`, message } }
  const owner = ownerOf(paths, system)
  const explanation = owner
    ? `the daemon (process ${owner.pid}) does not answer: ${message}`
    : `${paths.socket} belongs to a listener that svc did not start`
  return { event: { type: 'daemon.silent', managed: owner !== undefined, message: explanation } }
}

/** Undefined for the managed daemon of this build: then the metadata was written after it was read. */
const answered = async (
  answer: Answer,
  { paths, version, environment, system }: OpenOptions,
): Promise<Opened | undefined> => {
  // Read after the answer, so that it is not that of a predecessor.
  const owner = ownerOf(paths, system)
  if (owner?.instanceId !== answer.headers[INSTANCE_HEADER] || !owner) return foreign(paths)
  const text = answer.body.toString()
  const theirs = answer.status === 200 || answer.status === 412 ? parseVersion(text) : undefined
  if (!theirs || !isSameVersion(theirs, version)) {
    return { event: { type: 'daemon.differs', message: 'the daemon that answers is a different version or build' } }
  }
  const started = owner.environment ?? environment
  if (started !== environment) {
    const { otherEnvironment } = await import('./other-environment.ts')
    return unready(otherEnvironment(started, environment, owner.rawDeviceId))
  }
  return parseObject(text)?.ending === true ? unready('the daemon is shutting down') : undefined
}

/** Undefined when nothing says who is there: nobody gave an answer, or it does not tell. */
const request = async (
  owner: Owner,
  head: RequestHead,
  options: OpenOptions,
  isLast: boolean,
): Promise<Opened | undefined> => {
  const { paths, clock, version, system, signal } = options
  const connection = openConnection(paths.socket, clock, system?.connect)
  const headers = {
    ...head.headers,
    [EXPECT_INSTANCE_HEADER]: owner.instanceId,
    [EXPECT_BUILD_HEADER]: buildText(version),
  }
  const bytes = postHead(head.path, head.bodyBytes, headers)
  const exchanged = await connection.exchange(bytes, { ms: DAEMON_PING_MS, signal })
  if (exchanged.kind !== 'done') {
    connection.close()
    // The daemon may have ended or been killed, which is not to be seen at once.
    return isHungUp(exchanged) && !isLast ? undefined : unanswered(probeFailure(exchanged), options)
  }
  const { answer } = exchanged
  if (answer.status === CONTINUE && answer.headers[INSTANCE_HEADER] === owner.instanceId) {
    return { event: { type: 'daemon.ready' }, connection, offeredId: answer.headers[OFFERED_ID_HEADER] }
  }
  connection.close()
  return answer.status === 412 ? answered(answer, options) : undefined
}

/** Asks a listener that refuses and does not tell its version: it may be another build, or somebody else's. */
const ask = async (options: OpenOptions): Promise<Opened | undefined> => {
  const { paths, clock, system, signal } = options
  const probed = await probeSocket(paths.socket, { clock, path: '/version', connect: system?.connect, signal })
  return probed.kind === 'answered' ? answered(probed.answer, options) : unanswered(probed, options)
}

export const openDaemon = async (head: RequestHead, options: OpenOptions): Promise<Opened> => {
  const { paths, system } = options
  const problem = (system?.homeProblem ?? homeProblem)(paths)
  if (problem) return unready(problem)
  const open = async (isLast: boolean) => {
    const owner = ownerOf(paths, system)
    const mayFit = owner && (owner.environment ?? options.environment) === options.environment
    return (mayFit ? await request(owner, head, options, isLast) : undefined) ?? (await ask(options))
  }
  // The second time with metadata that was written meanwhile.
  return (await open(false)) ?? (await open(true)) ?? unready('the daemon was replaced during the request')
}
