/** The port `probe`: socket and metadata are compared with live processes. */
import type { DaemonAsk, DaemonFinding } from '../../../machines/daemon.ts'
import type { Port } from '../../runtime/port.ts'
import { isOwnedBy, liveOwner, type Owner } from '../ownership.ts'
import { socketPathProblem } from '../paths.ts'
import { lookAt, type Sight } from '../probe.ts'
import { stampOf } from '../socket-file.ts'
import type { Errand, Found } from './request.ts'

const judge = (ask: DaemonAsk, sight: Sight, owner: Owner | undefined): DaemonFinding => {
  // A frozen daemon answers nobody, and one whose socket was taken away is not heard: the process is enough to end it.
  if (ask === 'stop' && owner) return 'managed'
  switch (sight.kind) {
    case 'answered':
      return isOwnedBy(owner, sight.instance) ? 'managed' : 'foreign'
    case 'mute':
      if (owner) return ask === 'restart' ? 'managed' : 'silent'
      // Somebody listens: whoever only looks hears that nobody answers, whoever starts must not take the socket.
      return ask === 'status' ? 'silent' : 'foreign'
    case 'unreachable':
      return ask === 'status' ? 'silent' : 'foreign'
    default:
      return 'silent'
  }
}

export const find = async ({ ask, paths, clock }: Pick<Errand, 'ask' | 'paths' | 'clock'>): Promise<Found> => {
  const stamp = stampOf(paths.socket)
  const sight: Sight = socketPathProblem(paths.socket) ? { kind: 'absent' } : await lookAt(paths.socket, { clock })
  if (sight.kind === 'answered') sight.link.close()
  const owner = liveOwner(paths.metadata)
  return { finding: judge(ask, sight, owner), sight, stamp, owner }
}

export const probePort =
  (errand: Errand): Port =>
  async (_, { send }) => {
    const found = await find(errand)
    errand.found = found
    send({ type: 'probe.answered', finding: found.finding, pid: found.owner?.pid ?? null })
  }
