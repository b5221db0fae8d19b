/** The identity of a daemon beyond its process: the build that it runs, and the environment that decides its devices and its journal. */

import { realpathSync, statSync } from 'node:fs'
import type { BuildIdentity } from '../contracts/daemon.ts'
import { asObject, parseObject } from '../runtime/small-file.ts'

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
