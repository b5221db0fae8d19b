/** skill.json: the registry entry's fields, who drives the skill, and what it promises to prove. */
import * as v from 'valibot'
import { dictionary, keepingObject, openObject } from '../json/objects.ts'
import { nonBlank, positive } from '../json/scalars.ts'
import { RegistryEntry } from './registry.ts'

/** Its presence alone makes a skill an orchestrated one. */
export const SkillAgent = openObject({
  cli: nonBlank,
  cliPath: v.exactOptional(nonBlank),
  timeoutMs: v.exactOptional(positive),
})
export type SkillAgent = v.InferOutput<typeof SkillAgent>

const RANGE = /^integer\[(-?\d+),(-?\d+)\]$/

const isAscending = (type: string) => {
  const range = RANGE.exec(type)
  return !range || Number(range[1]) <= Number(range[2])
}

export const SkillInputType = v.pipe(
  v.string(),
  v.regex(/^(?:string|integer(?:\[-?\d+,-?\d+\])?)$/, 'must be "string", "integer" or "integer[min,max]"'),
  v.check(isAscending, 'the minimum is greater than the maximum'),
)
export type SkillInputType = v.InferOutput<typeof SkillInputType>

/** `matcher` is a template: `{name}` stands for the input of that name. */
export const SkillVerification = openObject({ kind: v.literal('node_text_matches'), matcher: v.string() })

export const SkillContract = openObject({
  inputs: v.exactOptional(dictionary(SkillInputType), {}),
  goal: v.exactOptional(v.nullable(keepingObject({ kind: v.string() })), null),
  verification: v.exactOptional(v.nullable(SkillVerification), null),
})
export type SkillContract = v.InferOutput<typeof SkillContract>

export const SkillJson = keepingObject({
  ...RegistryEntry.entries,
  agent: v.exactOptional(SkillAgent),
  contract: v.exactOptional(SkillContract),
})
