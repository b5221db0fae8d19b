/** Section Daemon: whose daemon it is. A pid alone names nobody: pids are used again. */
import { isAlive } from '../runtime/processes.ts'
import { type Metadata, readMetadata } from './metadata.ts'

/** A daemon that svc started and that still lives. */
export interface Owner extends Metadata {
  startTime: string
  instanceId: string
}

const isComplete = (metadata: Metadata): metadata is Owner =>
  typeof metadata.startTime === 'string' && typeof metadata.instanceId === 'string' && metadata.instanceId !== ''

export const isRunning = ({ pid, startTime }: Pick<Owner, 'pid' | 'startTime'>): boolean =>
  isAlive({ pid, started: startTime })

/** Who the metadata names, if that very process is alive. */
export const liveOwner = (metadataPath: string): Owner | undefined => {
  const metadata = readMetadata(metadataPath)
  return metadata && isComplete(metadata) && isRunning(metadata) ? metadata : undefined
}

/** Whether the answer with this `Svc-Instance` came from the daemon that the metadata names. */
export const isOwnedBy = (owner: Owner | undefined, instance: string | undefined): owner is Owner =>
  owner !== undefined && owner.instanceId === instance
