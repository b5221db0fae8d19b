/** The output of the `svc authoring-skills` commands. */
import * as v from 'valibot'
import { installReport } from './install.ts'
import { count } from './numbers.ts'
import { openObject } from './objects.ts'

export const AuthoringSkill = openObject({ name: v.string(), skillPath: v.string() })
export type AuthoringSkill = v.InferOutput<typeof AuthoringSkill>

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
export type AuthoringInstalled = v.InferOutput<typeof AuthoringInstalled>
