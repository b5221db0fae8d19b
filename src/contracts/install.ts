/** The output of `svc install`, its parts, `svc uninstall` and `svc authoring-skills`: what became of each place. */
import * as v from 'valibot'
import { openObject } from './json/objects.ts'
import { count } from './json/scalars.ts'

const noted = v.array(openObject({ path: v.string(), reason: v.string() }))

/** All paths are absolute. With --dry-run, what would be done. */
export const installReport = {
  wrote: v.array(v.string()),
  updated: v.array(v.string()),
  removed: v.array(v.string()),
  unchanged: v.array(v.string()),
  /** Left alone on purpose, such as text that somebody changed. */
  skipped: noted,
  /** Could not be written. */
  refused: noted,
  warnings: v.array(v.string()),
}

export const InstallReport = openObject(installReport)
export type InstallReport = v.InferOutput<typeof InstallReport>

export const Installed = openObject({
  ok: v.literal(true),
  dryRun: v.boolean(),
  version: v.string(),
  ...installReport,
  message: v.string(),
  next: v.exactOptional(v.array(v.string())),
})
export type Installed = v.InferOutput<typeof Installed>

/** `newer`: npm would install a newer version than this one. */
export const UpgradeChecked = openObject({
  ok: v.literal(true),
  state: v.picklist(['current', 'newer', 'older', 'not-published', 'another-package']),
  current: v.string(),
  available: v.nullable(v.string()),
  message: v.string(),
  command: v.exactOptional(v.string()),
})
export type UpgradeChecked = v.InferOutput<typeof UpgradeChecked>

export const AuthoringSkill = openObject({ name: v.string(), skillPath: v.string() })

export const AuthoringHost = openObject({
  host: v.string(),
  dir: v.string(),
  representation: v.picklist(['symlink', 'copy']),
  state: v.picklist(['ok', 'missing', 'stale', 'conflict']),
})
export type AuthoringHost = v.InferOutput<typeof AuthoringHost>

export const AuthoringList = openObject({ skills: v.array(AuthoringSkill), count, installedDir: v.string() })
export type AuthoringList = v.InferOutput<typeof AuthoringList>

export const AuthoringStatus = openObject({ ...AuthoringList.entries, hosts: v.array(AuthoringHost) })
export type AuthoringStatus = v.InferOutput<typeof AuthoringStatus>

export const AuthoringInstalled = openObject({
  ...AuthoringStatus.entries,
  ...installReport,
  dryRun: v.boolean(),
  message: v.string(),
})
