/** Section Skills, compile: reads a recipe, and fills in its `{{VAR}}` placeholders and ids once. */
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { TEMPLATE_PLACEHOLDERS } from '../../../contracts/actions/overlay-template.ts'
import { isObject, type JsonObject } from '../../../contracts/json/json.ts'
import { COMPILE_HASH_HEX_CHARS } from '../../../contracts/limits/limits.ts'
import { RECIPE_SUFFIX } from '../../../contracts/skills/skill-commands.ts'
import { normaliseExecution } from '../../executions/validate.ts'
import { readShallowJson } from '../read-json.ts'

export type Vars = Readonly<Record<string, string | number | boolean>>

type Filled =
  | { ok: true; value: unknown }
  | { ok: false; problem: 'missing'; names: readonly string[] }
  | { ok: false; problem: 'large' }

/** Doubled pairs are literal braces of on-screen log templates, and no placeholders. */
const PLACEHOLDER = /\{\{\{\{|\}\}\}\}|\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g

/** The name, where a string is one placeholder and nothing else. */
export const wholePlaceholder = (text: string): string | undefined =>
  /^\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}$/.exec(text)?.[1]

/** The device fills these in; they stay, unless the caller has a variable of that name. */
const DEVICE_NAMES: ReadonlySet<string> = new Set(TEMPLATE_PLACEHOLDERS)

export const hasPlaceholder = (text: string): boolean =>
  [...text.matchAll(PLACEHOLDER)].some(([, name]) => name !== undefined && !DEVICE_NAMES.has(name))

/**
 * A string that is one placeholder becomes its value, of the value's own type; elsewhere values are text. They are put in
 * and not looked at again, so that a placeholder inside a value stays text. `charsMax` bounds what all values together
 * add: a megabyte of placeholders times a megabyte of value is not a payload.
 */
export const fillPlaceholders = (recipe: unknown, vars: Vars, charsMax: number): Filled => {
  const missing = new Set<string>()
  let left = charsMax

  const spend = (value: string): string => {
    left -= value.length
    return left < 0 ? '' : value
  }

  const fillText = (text: string): string =>
    text.replace(PLACEHOLDER, (found: string, name: string | undefined) => {
      if (name === undefined) return found
      const value = Object.hasOwn(vars, name) ? vars[name] : undefined
      if (value === undefined) {
        if (!DEVICE_NAMES.has(name)) missing.add(name)
        return found
      }
      return spend(String(value))
    })

  const fillValue = (text: string): unknown => {
    const name = wholePlaceholder(text)
    const value = name !== undefined && Object.hasOwn(vars, name) ? vars[name] : undefined
    if (value === undefined || typeof value === 'string') return fillText(text)
    spend(String(value))
    return value
  }

  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillValue(value)
    if (Array.isArray(value)) return value.map(fill)
    if (!isObject(value)) return value
    // fromEntries defines properties, so a key `__proto__` stays a key.
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [fillText(key), fill(child)]))
  }

  const value = fill(recipe)
  if (missing.size > 0) return { ok: false, problem: 'missing', names: [...missing] }
  return left < 0 ? { ok: false, problem: 'large' } : { ok: true, value }
}

interface DerivedIds {
  commandId: string
  taskId: string
}

/** By code units, so that the language of the host changes nothing. */
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0)

export const derivedIds = (skillId: string, artifact: string, vars: Vars): DerivedIds => {
  const stable = JSON.stringify([skillId, artifact, Object.entries(vars).sort(byName)])
  const hash = createHash('sha256').update(stable).digest('hex').slice(0, COMPILE_HASH_HEX_CHARS)
  return { commandId: `cmd-${hash}`, taskId: `task-${hash}` }
}

/** A recipe is indented, so it may be longer than the execution it becomes; not by this much. */
const RECIPE_BYTES_MAX = 1_024 * 1_024

/** The `source` of executions whose recipe names none. */
const RECIPE_SOURCE = 'skill-artifact'

export const readRecipe = (path: string): { ok: true; recipe: JsonObject } | { ok: false; problem: string } => {
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
