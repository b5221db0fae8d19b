/** What a proxied command finds at the socket: a daemon it may use, one it must have started or replaced, or neither. */
import type { Clock } from '../../runtime/clock.ts'
import { isSameVersion, parseVersion, type Version } from '../build-identity.ts'
import { isOwnedBy, liveOwner, type Owner } from '../ownership.ts'
import type { DaemonPaths } from '../paths.ts'
import { lookAt, type Sight } from '../probe.ts'
import type { Link } from './link.ts'

/** What is asked of whoever can start and replace daemons. */
export type Need = 'missed' | 'refused' | 'differed'

export type Seen =
  | { kind: 'ready'; link: Link }
  | { kind: 'needed'; need: Need }
  | { kind: 'foreign'; notice: string }
  | { kind: 'unready'; notice: string }

export interface SeekOptions {
  paths: DaemonPaths
  clock: Clock
  /** Of the caller. */
  version: Version
  reach: string
  signal?: AbortSignal | undefined
}

type Answered = Extract<Sight, { kind: 'answered' }>

const judge = (
  { answer }: Answered,
  owner: Owner,
  { version, reach }: SeekOptions,
): Exclude<Seen, { kind: 'ready' }> | 'ready' => {
  const theirs = answer.status === 200 ? parseVersion(answer.body.toString()) : undefined
  if (!theirs || !isSameVersion(theirs, version)) return { kind: 'needed', need: 'differed' }
  if ((owner.reach ?? reach) !== reach) {
    const notice =
      'the daemon was started with other ADB_*/ANDROID_ADB_*/SVC_TCP_DEVICES/SVC_LEASE_BY/SVC_JOURNAL variables; svc daemon restart takes yours'
    return { kind: 'unready', notice }
  }
  if (answer.headers.connection?.toLowerCase() === 'close') return { kind: 'unready', notice: 'the daemon is ending' }
  return 'ready'
}

export const seek = async (options: SeekOptions): Promise<Seen> => {
  const { paths, clock, signal } = options
  const sight = await lookAt(paths.socket, { clock, path: '/version', signal })
  if (sight.kind === 'absent') return { kind: 'needed', need: 'missed' }
  if (sight.kind === 'refused') return { kind: 'needed', need: 'refused' }
  if (sight.kind === 'unreachable') return { kind: 'unready', notice: `the daemon cannot be reached: ${sight.message}` }
  // Read after the answer, so that it is not the one of a predecessor.
  const owner = liveOwner(paths.metadata)
  if (sight.kind === 'mute') {
    if (!owner) return { kind: 'foreign', notice: `${paths.socket} belongs to a listener that svc did not start` }
    return { kind: 'unready', notice: `the daemon (process ${owner.pid}) does not answer: ${sight.message}` }
  }
  if (!isOwnedBy(owner, sight.instance)) {
    sight.link.close()
    return { kind: 'foreign', notice: `${paths.socket} belongs to a listener that svc did not start` }
  }
  const judged = judge(sight, owner, options)
  if (judged === 'ready') return { kind: 'ready', link: sight.link }
  sight.link.close()
  return judged
}
