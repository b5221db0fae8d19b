/** Section Validate rules, `--dry-run`: recipes as they are, their placeholders still in them, against the execution schema. */
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import type { SkillValidated } from '../../../contracts/skills/skill-commands.ts'
import { problemWithTemplate } from '../../executions/validate.ts'
import {
  bareName,
  completeRecipe,
  derivedIds,
  hasPlaceholder,
  readRecipe,
  wholePlaceholder,
} from '../compile/recipe.ts'

export type DryRun = NonNullable<SkillValidated['dryRun']>

type RecipesChecked =
  | { ok: true; dryRun: DryRun }
  | { ok: false; artifactPath: string; problem: string; details?: Readonly<Record<string, unknown>>; hint?: string }

const NO_ARTIFACTS = 'the skill has no artifacts'

/** One placeholder and nothing else may become a value of any type; a text with placeholders stays a text. */
const isOpenText = (value: unknown, kind: string): boolean =>
  typeof value === 'string' &&
  (wholePlaceholder(value) !== undefined || (kind === 'validation' && hasPlaceholder(value)))

/** A value of several forms is judged as a whole: it is open where one of its parts is. */
const isOpen = (value: unknown, issue: { kind: string; type: string }): boolean => {
  if (typeof value !== 'object' || value === null) return isOpenText(value, issue.kind)
  return ['union', 'raw_check'].includes(issue.type) && Object.values(value).some(part => isOpen(part, issue))
}

const checkRecipe = (skillId: string, path: string): (RecipesChecked & { ok: false }) | undefined => {
  const read = readRecipe(path)
  if (!read.ok) return { ok: false, artifactPath: path, problem: read.problem }
  const wrong = problemWithTemplate(completeRecipe(read.recipe, derivedIds(skillId, bareName(path), {})), isOpen)
  if (wrong === undefined) return undefined
  const { message, details, hint } = wrong
  return {
    ok: false,
    artifactPath: path,
    problem: `is not a valid execution: ${message}`,
    ...(details === undefined ? {} : { details }),
    ...(hint === undefined ? {} : { hint }),
  }
}

/** In steps of one recipe: a skill may have any number of them. */
export function* checkRecipes(
  { id }: Pick<RegistryEntry, 'id'>,
  artifactPaths: readonly string[],
): Generator<void, RecipesChecked> {
  if (artifactPaths.length === 0) return { ok: true, dryRun: { payloadValidation: 'skipped', reason: NO_ARTIFACTS } }
  for (const path of artifactPaths) {
    const wrong = checkRecipe(id, path)
    if (wrong !== undefined) return wrong
    yield
  }
  return { ok: true, dryRun: { payloadValidation: 'passed' } }
}
