/** The output of the `svc skills` commands that check and change a registry, or compile a recipe into an execution. */
import * as v from 'valibot'
import { Execution } from '../executions/execution.ts'
import { closedObject, keepingObject, openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'
import { SCAFFOLD_FILES } from '../limits/limits.ts'
import { RegistryEntry } from './registry.ts'

/** All paths are absolute. */
export const SkillChecks = openObject({
  skillJsonPath: v.string(),
  skillFilePath: v.string(),
  scriptPaths: v.array(v.string()),
  artifactPaths: v.array(v.string()),
})
export type SkillChecks = v.InferOutput<typeof SkillChecks>

const dryRun = v.variant('payloadValidation', [
  openObject({ payloadValidation: v.literal('skipped'), reason: v.string() }),
  openObject({ payloadValidation: v.literal('passed') }),
])

export const SkillValidated = openObject({
  valid: v.literal(true),
  skill: RegistryEntry,
  registryPath: v.string(),
  dryRun: v.exactOptional(dryRun),
  checks: SkillChecks,
})
export type SkillValidated = v.InferOutput<typeof SkillValidated>

export const SkillsValidated = openObject({
  valid: v.literal(true),
  totalSkills: count,
  registryPath: v.string(),
  validSkills: v.array(openObject({ skill: RegistryEntry, checks: SkillChecks })),
})
export type SkillsValidated = v.InferOutput<typeof SkillsValidated>

/** Printed by `validate --all` when at least one skill is invalid. */
export const SkillsInvalid = openObject({
  code: v.literal('SKILL_VALIDATION_FAILED'),
  message: v.string(),
  registryPath: v.string(),
  details: openObject({
    totalSkills: count,
    validCount: count,
    invalidCount: count,
    failures: v.array(openObject({ skillId: v.string(), code: v.string(), message: v.string() })),
  }),
  hint: v.exactOptional(v.string()),
  retriable: v.exactOptional(v.boolean()),
})
export type SkillsInvalid = v.InferOutput<typeof SkillsInvalid>

export const SkillCreated = openObject({
  created: v.literal(true),
  skillId: v.string(),
  registryPath: v.string(),
  skillPath: v.string(),
  files: v.pipe(v.array(v.string()), v.length(SCAFFOLD_FILES)),
  /** The flow that the skill runs; the files it reads are beside it. */
  flowPath: v.exactOptional(v.string()),
  next: v.exactOptional(v.string()),
})
export type SkillCreated = v.InferOutput<typeof SkillCreated>

/** The output of `svc skills record`. Paths are absolute. */
export const SkillRecorded = openObject({
  recorded: v.literal(true),
  skillId: v.string(),
  registryPath: v.string(),
  skillPath: v.string(),
  files: v.array(v.string()),
  /** The executions it was made from, in order. */
  executions: v.array(v.string()),
  executionCount: v.exactOptional(count),
  /** How many actions of these executions the skill repeats; its recipes also have waits and a check of their own. */
  actionsReplayed: v.exactOptional(count),
  inputs: v.array(openObject({ name: v.string(), secret: v.boolean() })),
  recipes: v.array(openObject({ name: v.string(), actionCount: count })),
  /** The text that a run reads at its end; null when nothing that was seen is fit for it. */
  verification: v.nullable(openObject({ expected: v.string(), reasons: v.array(v.string()) })),
  scenarioPath: v.exactOptional(v.string()),
  /** The flow that does the same, for svc test. */
  flowPath: v.exactOptional(v.string()),
  notes: v.array(v.string()),
  next: v.string(),
})
export type SkillRecorded = v.InferOutput<typeof SkillRecorded>

/** `registryPath` is in the answer of install only. */
export const SkillsSynced = openObject({
  synced: v.literal(true),
  message: v.string(),
  registryPath: v.exactOptional(v.string()),
})
export type SkillsSynced = v.InferOutput<typeof SkillsSynced>

export const RECIPE_SUFFIX = '.recipe.json'

/** A recipe before its placeholders are filled in: any JSON object. */
export const RecipeFile = keepingObject({})

export const CompiledArtifact = openObject({
  execution: closedObject({ ...Execution.entries, mode: v.literal('artifact_compiled') }),
})
export type CompiledArtifact = v.InferOutput<typeof CompiledArtifact>
