/** Deterministic recipe payloads, and what compiling one prints. */
import * as v from 'valibot'
import { Execution } from './execution.ts'
import { closedObject, keepingObject, openObject } from './objects.ts'

export const RECIPE_SUFFIX = '.recipe.json'

/** A recipe before its placeholders are filled in: any JSON object. */
export const RecipeFile = keepingObject({})
export type RecipeFile = v.InferOutput<typeof RecipeFile>

export const CompiledArtifact = openObject({
  execution: closedObject({ ...Execution.entries, mode: v.literal('artifact_compiled') }),
})
export type CompiledArtifact = v.InferOutput<typeof CompiledArtifact>
