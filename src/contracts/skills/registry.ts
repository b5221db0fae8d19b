/** The skills registry file and its entries. Keys we do not know are kept: the file belongs to its user. */
import * as v from 'valibot'
import { keepingObject, openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'

const paths = v.array(v.string())

/** `contract` is here as stored: it is compared with that of skill.json, and read from there. */
export const RegistryEntry = keepingObject({
  id: v.pipe(v.string(), v.minLength(1)),
  applicationId: v.string(),
  intent: v.string(),
  summary: v.string(),
  path: v.string(),
  skillFile: v.string(),
  scripts: paths,
  artifacts: paths,
  keywords: v.exactOptional(v.array(v.string())),
  contract: v.exactOptional(v.unknown()),
})
export type RegistryEntry = v.InferOutput<typeof RegistryEntry>

export const SKILLS_ARRAY_REQUIRED = 'Invalid registry: skills array required'

export const RegistryFile = keepingObject(
  {
    schemaVersion: v.exactOptional(v.string()),
    generatedAt: v.exactOptional(v.string()),
    skills: v.array(RegistryEntry, SKILLS_ARRAY_REQUIRED),
  },
  SKILLS_ARRAY_REQUIRED,
)

/** The id of a skill that is to be made; ids of existing entries are taken as they are. */
export const NewSkillId = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/,
    'must be <applicationId>.<intent>, made of letters, digits, "_" and "-"',
  ),
)

/** The CLI prints this; HTTP adds `ok: true`. */
export const SkillsOutput = openObject({ skills: v.array(RegistryEntry), count })
export type SkillsOutput = v.InferOutput<typeof SkillsOutput>

export const SkillOutput = openObject({ skill: RegistryEntry })
export type SkillOutput = v.InferOutput<typeof SkillOutput>

const ok = v.literal(true)

export const SkillsResponse = openObject({ ok, ...SkillsOutput.entries })
export type SkillsResponse = v.InferOutput<typeof SkillsResponse>

export const SkillResponse = openObject({ ok, ...SkillOutput.entries })
