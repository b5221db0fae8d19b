/**
 * The identity of a daemon: its process, as the metadata file names it; the build that it runs; and the environment
 * that decides its devices and its journal.
 */
import { readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildIdentity, DaemonMetadata } from '../../contracts/daemon.ts'
import { asObject, parseObject, readSmall, writeAtomically } from '../../runtime/files/small-file.ts'
import { isAlive } from '../../runtime/processes/processes.ts'

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

/** The daemons that run in a home, of each `--device` value; none where the folder cannot be read. */
export const runningDaemons = (directory: string): Owner[] => {
  try {
    const files = readdirSync(directory).filter(name => name.endsWith('.pid'))
    return files.flatMap(name => liveOwner(join(directory, name)) ?? [])
  } catch {
    return []
  }
}

/** Throws what the file system says. */
export const writeMetadata = (path: string, metadata: Metadata): void =>
  writeAtomically(path, `${JSON.stringify(metadata)}\n`)

/** Only the file of that instance: a successor may have written its own. */
export const removeMetadata = (path: string, instanceId: string): void => {
  if (readMetadata(path)?.instanceId === instanceId) rmSync(path, { force: true })
}

/**
 * Captured when the process starts: a build that replaces the file later is another one. A link to the file, as npm puts
 * on the PATH, is the same build as the file itself.
 */
export const buildIdentityOf = (entryPath: string | null | undefined): BuildIdentity => {
  if (!entryPath) return { entryPath: null, mtimeMs: null, size: null }
  try {
    const real = realpathSync(entryPath)
    const { mtimeMs, size } = statSync(real)
    return { entryPath: real, mtimeMs, size }
  } catch {
    return { entryPath, mtimeMs: null, size: null }
  }
}

export interface Version {
  version: string
  buildIdentity: BuildIdentity
}

const textOf = ({ version, buildIdentity: { entryPath, mtimeMs, size } }: Version): string =>
  JSON.stringify([version, entryPath, mtimeMs, size])

export const isSameVersion = (one: Version, other: Version): boolean => textOf(one) === textOf(other)

/** Builds a header value: equal texts are equal versions and builds. */
export const buildText = (version: Version): string => encodeURIComponent(textOf(version))

const isNumberOrNull = (value: unknown): value is number | null => value === null || Number.isFinite(value)

/** The body of `GET /version`; undefined when it is not one. */
export const parseVersion = (text: string): Version | undefined => {
  const { version, buildIdentity } = parseObject(text) ?? {}
  const { entryPath, mtimeMs, size } = asObject(buildIdentity) ?? {}
  if (typeof version !== 'string' || (entryPath !== null && typeof entryPath !== 'string')) return undefined
  if (!isNumberOrNull(mtimeMs) || !isNumberOrNull(size)) return undefined
  return { version, buildIdentity: { entryPath, mtimeMs, size } }
}

const VARIABLES = [
  'ADB_SERVER_SOCKET',
  'ANDROID_ADB_SERVER_ADDRESS',
  'ANDROID_ADB_SERVER_PORT',
  'SVC_TCP_DEVICES',
  'SVC_LEASE_BY',
  'SVC_JOURNAL',
  'SVC_POLICY',
] as const

/** A command uses a daemon only when both have the same text: another daemon would miss the caller's devices. */
export const environmentOf = (env: Readonly<Record<string, string | undefined>>): string =>
  VARIABLES.flatMap(name => (env[name] ? [`${name}=${env[name]}`] : [])).join('\n')
