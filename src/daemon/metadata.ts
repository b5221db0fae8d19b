/**
 * Section Daemon PID metadata file: who listens on the socket. A pid alone names nobody, because pids are used again. Read
 * by hand, because the thin client loads no schemas.
 */
import { rmSync } from 'node:fs'
import type { DaemonMetadata } from '../contracts/daemon.ts'
import { isAlive } from '../runtime/processes.ts'
import { parseObject, readSmall, writeAtomically } from '../runtime/small-file.ts'

export interface Metadata extends DaemonMetadata {
  /** Identifies the devices that the daemon can reach, by its environment; missing in files of other writers. */
  environment?: string
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isText = (value: unknown): value is string => typeof value === 'string'

/** Undefined for what is not metadata. Same verdict as the schema of the contract, which a test holds together. */
export const parseMetadata = (text: string | undefined): Metadata | undefined => {
  const { pid, startedAt, daemonKey, cliEntryPath, rawDeviceId, ...more } = parseObject(text) ?? {}
  const { startTime, instanceId, environment } = more
  if (!isCount(pid) || pid === 0 || !isCount(startedAt)) return undefined
  if (!isText(daemonKey) || !isText(cliEntryPath) || !isText(rawDeviceId)) return undefined
  if (startTime !== undefined && !isText(startTime) && typeof startTime !== 'number') return undefined
  if (instanceId !== undefined && !isText(instanceId)) return undefined
  return {
    pid,
    startedAt,
    daemonKey,
    cliEntryPath,
    rawDeviceId,
    ...(startTime === undefined ? {} : { startTime }),
    ...(instanceId === undefined ? {} : { instanceId }),
    ...(isText(environment) ? { environment } : {}),
  }
}

export const readMetadata = (path: string): Metadata | undefined => parseMetadata(readSmall(path))

/** A daemon that svc started and that still lives. */
export interface Owner extends Metadata {
  startTime: string
  instanceId: string
}

const isComplete = (metadata: Metadata): metadata is Owner =>
  typeof metadata.startTime === 'string' && typeof metadata.instanceId === 'string' && metadata.instanceId !== ''

export const isRunning = ({ pid, startTime }: Pick<Owner, 'pid' | 'startTime'>): boolean =>
  isAlive({ pid, started: startTime })

/** Reads the owner that the metadata names, if that very process is alive. */
export const liveOwner = (metadataPath: string): Owner | undefined => {
  const metadata = readMetadata(metadataPath)
  return metadata && isComplete(metadata) && isRunning(metadata) ? metadata : undefined
}

/** Throws what the file system says. */
export const writeMetadata = (path: string, metadata: Metadata): void =>
  writeAtomically(path, `${JSON.stringify(metadata)}\n`)

/** Only the file of that instance: a successor may have written its own. */
export const removeMetadata = (path: string, instanceId: string): void => {
  if (readMetadata(path)?.instanceId === instanceId) rmSync(path, { force: true })
}
