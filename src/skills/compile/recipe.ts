/** Recipe files: which one a name means, what it holds, and what a recipe may leave out. */
import { posix } from 'node:path'
import { isObject, type JsonObject } from '../../contracts/json.ts'
import { RECIPE_SUFFIX } from '../../contracts/skill-commands.ts'
import { normaliseExecution } from '../../executions/normalise.ts'
import { readShallowJson } from '../json.ts'
import type { DerivedIds } from './ids.ts'

/** A recipe is indented, so it may be longer than the execution it becomes; not by this much. */
const RECIPE_BYTES_MAX = 1_024 * 1_024

/** The `source` of executions whose recipe names none. */
export const RECIPE_SOURCE = 'skill-artifact'

export type RecipeRead = { ok: true; recipe: JsonObject } | { ok: false; problem: string }

export const readRecipe = (path: string): RecipeRead => {
  const read = readShallowJson(path, RECIPE_BYTES_MAX)
  if (!read.ok) return read
  return isObject(read.value) ? { ok: true, recipe: read.value } : { ok: false, problem: 'is not a JSON object' }
}

/** `open` and `open.recipe.json` are one name. */
export const bareName = (artifact: string): string =>
  artifact.endsWith(RECIPE_SUFFIX) ? artifact.slice(0, -RECIPE_SUFFIX.length) : artifact

/** A name is compared with the names that the entry lists; it is never a path. */
export const findArtifact = (artifacts: readonly string[], name: string): string | undefined =>
  artifacts.find(path => bareName(posix.basename(path)) === bareName(name))

/** A recipe with what it may leave out, in canonical spelling; what it says itself stays. */
export const completeRecipe = (recipe: unknown, ids: DerivedIds): unknown => {
  const payload = normaliseExecution(recipe)
  if (!isObject(payload)) return payload
  return { ...ids, source: RECIPE_SOURCE, ...payload, mode: 'artifact_compiled' }
}
