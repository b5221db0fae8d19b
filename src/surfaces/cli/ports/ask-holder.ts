/** The daemon that holds the forwards of a device that no adb server carries: started when something is to be added. */
import { failure } from '../../../contracts/failures/failures.ts'
import { socketTransport } from '../../../service/http-transport.ts'
import { remote } from '../../../service/remote.ts'
import { failed, type Result, type Service, type RequestOptions as ServiceCall } from '../../../service/service.ts'
import { daemonDifference } from '../../daemon/client/other-environment.ts'
import { environmentOf, liveOwner } from '../../daemon/identity.ts'
import { daemonPaths } from '../../daemon/paths.ts'
import type { CommandContext } from '../command.ts'
import { leaseOf } from '../flags/flag-values.ts'

type Ask<T> = (service: Service, deviceId: string, call: ServiceCall) => Promise<Result<T>>

interface HolderOptions {
  /** Starts the daemon of the device where none runs. */
  mayStart: boolean
}

const isDisabled = ({ env, isOn }: CommandContext): boolean => isOn('no-daemon') || env.SVC_NO_DAEMON === '1'

/** Undefined where no daemon runs, so nothing is held. Each device has a daemon of its own. */
export const askHolder = async <T>(
  call: CommandContext,
  serial: string,
  ask: Ask<T>,
  { mayStart }: HolderOptions,
): Promise<Result<T> | undefined> => {
  const { env, clock, signal } = call
  const { home } = await call.services()
  const paths = daemonPaths(home, serial)
  if (mayStart && isDisabled(call)) {
    const message = `No adb server carries ${serial}, so a daemon must hold this, and --no-daemon forbids one.`
    const hint = `Run it without --no-daemon, or connect the device to the adb server: svc devices connect ${serial}.`
    return failed(failure('FORWARD_REFUSED', message, { details: { reason: 'daemon_needed' }, hint }))
  }
  if (mayStart) {
    const { manage } = await import('../daemon/daemon.ts')
    const started = await manage({ ask: 'start', device: serial }, call)
    if (!started.ok) return failed(started.error)
  }
  const owner = liveOwner(paths.metadata)
  if (!owner) return undefined
  const environment = environmentOf(env)
  if ((owner.environment ?? environment) !== environment) {
    const { problem, command } = daemonDifference(owner.environment ?? '', environment, owner.rawDeviceId)
    const message = `The daemon of ${serial} cannot hold this: ${problem}.`
    const hint = `To give it yours: ${command}. That ends what it holds.`
    return failed(failure('FORWARD_REFUSED', message, { details: { reason: 'other_environment' }, hint }))
  }
  const transport = socketTransport({ path: paths.socket, instanceId: owner.instanceId, clock })
  return ask(remote(transport), serial, { context: { caller: 'cli', leaseId: leaseOf(call) }, signal })
}
