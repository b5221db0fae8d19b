/** Section Skills, skill.json: reads it, and checks the blocks that the registry knows nothing about. */
import * as v from 'valibot'
import { isObject, type JsonObject } from '../../contracts/json.ts'
import { SkillAgent, SkillContract } from '../../contracts/skill-json.ts'
import { readJson } from '../json.ts'

const SKILL_JSON_BYTES_MAX = 1_024 * 1_024

export type SkillJsonRead = { ok: true; skillJson: JsonObject } | { ok: false; problem: string }

export const readSkillJson = (path: string): SkillJsonRead => {
  const read = readJson(path, SKILL_JSON_BYTES_MAX)
  if (!read.ok) return read
  return isObject(read.value) ? { ok: true, skillJson: read.value } : { ok: false, problem: 'is not a JSON object' }
}

const BLOCKS = { agent: SkillAgent, contract: SkillContract } as const

/** The first thing that is wrong with who drives the skill, or with what it promises. */
export const blockProblem = (skillJson: JsonObject): string | undefined => {
  for (const [key, schema] of Object.entries(BLOCKS)) {
    if (!Object.hasOwn(skillJson, key)) continue
    const result = v.safeParse(schema, skillJson[key], { abortEarly: true })
    if (result.success) continue
    const [issue] = result.issues
    const path = [key, v.getDotPath(issue)].filter(part => part !== null).join('.')
    return `${path}: ${issue.message}`
  }
  return undefined
}
