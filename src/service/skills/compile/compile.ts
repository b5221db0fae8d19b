/** Section Compile artifact rules: a recipe of a skill, made into an execution that has been validated. */
import { isObject } from '../../../contracts/json/json.ts'
import { EXECUTION_BYTES } from '../../../contracts/limits/limits.ts'
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import type { CompiledArtifact } from '../../../contracts/skills/skill-commands.ts'
import { parseJsonText } from '../../executions/parse-json.ts'
import { validateExecution } from '../../executions/validate.ts'
import { createRootGuard } from '../containment.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { findSkill } from '../registry/find.ts'
import type { Registry } from '../registry/load.ts'
import {
  bareName,
  completeRecipe,
  derivedIds,
  fillPlaceholders,
  findArtifact,
  readRecipe,
  type Vars,
} from './recipe.ts'

const HINT = 'Give an object of strings, numbers and booleans, such as --vars \'{"NAME": "value"}\'.'

const kindOf = (value: unknown): string =>
  typeof value === 'number'
    ? Number.isFinite(value)
      ? 'a number'
      : 'a number out of range'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'object'
          ? 'an object'
          : typeof value

const wrong = (problem: string): Refusal => refuse('COMPILE_VARS_PARSE_FAILED', `--vars: ${problem}`, { hint: HINT })

type Scalar = Vars[string]

const isScalar = (value: unknown): value is Scalar =>
  ['string', 'boolean'].includes(typeof value) || (typeof value === 'number' && Number.isFinite(value))

const parseVars = (text = '{}'): { ok: true; vars: Vars } | Refusal => {
  const parsed = parseJsonText(text, { what: '--vars', code: 'COMPILE_VARS_PARSE_FAILED' })
  if (!parsed.ok) return refuse(parsed.error.code, parsed.error.message, parsed.error)
  if (!isObject(parsed.value)) return wrong(`must be a JSON object, but is ${kindOf(parsed.value)}`)
  const vars: [string, Scalar][] = []
  for (const [name, value] of Object.entries(parsed.value)) {
    if (!isScalar(value)) {
      return wrong(`${JSON.stringify(name)} is ${kindOf(value)}; it must be a string, a number or a boolean`)
    }
    vars.push([name, value])
  }
  // fromEntries defines properties, so a name `__proto__` stays a name.
  return { ok: true, vars: Object.fromEntries(vars) }
}

/** More names than this help nobody, and a longer one is not a name. */
const NAMES_MAX = 20
const NAME_CHARS_MAX = 100

interface CompileOptions {
  registry: Registry
  skillId: string
  /** Bare, or with `.recipe.json`. */
  artifact: string
  /** JSON, as the caller wrote it. */
  vars?: string | undefined
}

type Compiled = { ok: true; output: CompiledArtifact } | Refusal

interface Recipe {
  skillId: string
  artifact: string
  value: unknown
}

const absent = (skill: RegistryEntry, artifact: string, problem: string): Refusal => {
  const name = JSON.stringify(artifact.slice(0, NAME_CHARS_MAX))
  return refuse('ARTIFACT_NOT_FOUND', `The skill ${skill.id} has no artifact ${name}: ${problem}.`, {
    details: { skillId: skill.id, artifact, artifacts: skill.artifacts },
  })
}

const findRecipe = (registry: Registry, skill: RegistryEntry, artifact: string): Recipe | Refusal => {
  const listed = findArtifact(skill.artifacts, artifact)
  if (listed === undefined) return absent(skill, artifact, 'the registry does not list it')
  const inRoot = createRootGuard(registry)(listed)
  if (inRoot.kind === 'missing') return absent(skill, artifact, `${inRoot.path} ${inRoot.problem}`)
  const skillId = skill.id
  if (inRoot.kind === 'outside') {
    return refuse(
      'SKILL_VALIDATION_FAILED',
      `The artifact ${JSON.stringify(listed)} of ${skillId} ${inRoot.problem}.`,
      {
        details: { skillId, path: listed, root: registry.root },
      },
    )
  }
  const read = readRecipe(inRoot.path)
  if (read.ok) return { skillId, artifact: bareName(artifact), value: read.recipe }
  return refuse('COMPILE_VALIDATION_FAILED', `The recipe ${inRoot.path} ${read.problem}`, {
    details: { skillId, artifactPath: inRoot.path },
  })
}

const missingVars = ({ skillId, artifact }: Recipe, missing: readonly string[]): Refusal => {
  const names = missing.slice(0, NAMES_MAX).map(name => name.slice(0, NAME_CHARS_MAX))
  return refuse('COMPILE_VAR_MISSING', `The recipe ${artifact} of ${skillId} needs a value for ${names.join(', ')}.`, {
    details: { skillId, artifact, missingVars: names },
    hint: `Give them with --vars '{${names.map(name => `"${name}": "..."`).join(', ')}}'.`,
  })
}

const invalid = (
  { skillId, artifact }: Recipe,
  problem: string,
  details: Record<string, unknown> = {},
  hint?: string,
) =>
  refuse(
    'COMPILE_VALIDATION_FAILED',
    `The recipe ${artifact} of ${skillId} does not make a valid execution: ${problem}`,
    {
      details: { skillId, artifact, ...details },
      hint,
    },
  )

const fill = (recipe: Recipe, vars: Vars): Compiled => {
  const ids = derivedIds(recipe.skillId, recipe.artifact, vars)
  const known = { COMMAND_ID: ids.commandId, TASK_ID: ids.taskId, ...vars }
  const filled = fillPlaceholders(recipe.value, known, EXECUTION_BYTES)
  if (!filled.ok && filled.problem === 'missing') return missingVars(recipe, filled.names)
  if (!filled.ok)
    return invalid(recipe, `with its values it is larger than the ${EXECUTION_BYTES} bytes of an execution`, {
      cause: 'PAYLOAD_TOO_LARGE',
    })
  const validation = validateExecution(completeRecipe(filled.value, ids))
  if (!validation.ok) {
    const { code, message, details, hint } = validation.error
    return invalid(recipe, message, { ...details, cause: code }, hint)
  }
  return { ok: true, output: { execution: { ...validation.execution, mode: 'artifact_compiled' } } }
}

export const compileArtifact = ({ registry, skillId, artifact, vars }: CompileOptions): Compiled => {
  const found = findSkill(registry, skillId)
  if (!found.ok) return found
  const parsed = parseVars(vars)
  if (!parsed.ok) return parsed
  const recipe = findRecipe(registry, found.skill, artifact)
  return 'ok' in recipe ? recipe : fill(recipe, parsed.vars)
}
