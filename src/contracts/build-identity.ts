/** The build of the CLI that a process runs: the contract's Build identity and GET /version. */
import * as v from 'valibot'
import { openObject } from './objects.ts'

/** The numbers are null when the entry point cannot be inspected. */
export const BuildIdentity = openObject({
  entryPath: v.nullable(v.string()),
  mtimeMs: v.nullable(v.number()),
  size: v.nullable(v.number()),
})
export type BuildIdentity = v.InferOutput<typeof BuildIdentity>

export const VersionResponse = openObject({ version: v.string(), buildIdentity: BuildIdentity })
export type VersionResponse = v.InferOutput<typeof VersionResponse>
