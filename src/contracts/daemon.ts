/** The daemon: its build, its PID metadata file, its lock file, and the reports of the `svc daemon` commands. */
import * as v from 'valibot'
import { openObject } from './json/objects.ts'
import { count, positive } from './json/scalars.ts'

/** The numbers are null when the entry point cannot be inspected. */
export const BuildIdentity = openObject({
  entryPath: v.nullable(v.string()),
  mtimeMs: v.nullable(v.number()),
  size: v.nullable(v.number()),
})
export type BuildIdentity = v.InferOutput<typeof BuildIdentity>

/** `journal` names what outlives the process: under the same name, a key or an id acts once. Missing where nothing is recorded. */
export const VersionResponse = openObject({
  version: v.string(),
  buildIdentity: BuildIdentity,
  journal: v.exactOptional(v.string()),
})
export type VersionResponse = v.InferOutput<typeof VersionResponse>

/** Opaque: what the system says about a process that a later one with the same pid cannot have said about it. */
const ProcessStart = v.union([v.string(), v.number()])

/** `startTime` and `instanceId` are missing in files of other writers, whose daemon then counts as not ours. */
export const DaemonMetadata = openObject({
  pid: positive,
  startedAt: count,
  daemonKey: v.string(),
  cliEntryPath: v.string(),
  rawDeviceId: v.string(),
  startTime: v.exactOptional(ProcessStart),
  instanceId: v.exactOptional(v.string()),
})
export type DaemonMetadata = v.InferOutput<typeof DaemonMetadata>

export const DaemonLock = openObject({
  pid: positive,
  startTime: v.exactOptional(ProcessStart),
  createdAt: v.exactOptional(count),
})

export const DaemonReport = v.variant('status', [
  openObject({
    status: v.literal('running'),
    socketPath: v.string(),
    pid: positive,
    version: v.string(),
    buildIdentity: BuildIdentity,
    uptimeSeconds: count,
  }),
  openObject({
    status: v.picklist(['started', 'already_running', 'stopped', 'not_running', 'unowned']),
    socketPath: v.string(),
  }),
])
export type DaemonReport = v.InferOutput<typeof DaemonReport>

export const DaemonResponse = openObject({ ok: v.literal(true), daemon: DaemonReport })
