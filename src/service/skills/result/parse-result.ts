/** The SkillResult of a frame: checked against the contract, and given the source that only the runner knows. */
import * as v from 'valibot'
import { type SkillResult, SkillResultFrame, type SkillSource } from '../../../contracts/skills/skill-result.ts'
import { findJsonProblem, shallowJson } from '../../executions/parse-json.ts'

type ParsedResult = { ok: true; result: SkillResult } | { ok: false; reason: string }

/** Deeper JSON cannot be written out again without risk: turning it into text recurses. */
const DEPTH_MAX = 200

const refuse = (reason: string): ParsedResult => ({ ok: false, reason })

const issueOf = (issue: v.BaseIssue<unknown>) => {
  const path = v.getDotPath(issue)
  return path === null ? issue.message : `${path}: ${issue.message}`
}

/** Counted from where the object begins. */
const placeOf = (json: string, offset: number): string => {
  const lines = json.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

const has = (value: unknown, key: string) => typeof value === 'object' && value !== null && Object.hasOwn(value, key)

export const parseSkillResult = (
  json: string,
  { skillId, source }: { skillId: string; source: SkillSource },
): ParsedResult => {
  const read = shallowJson(json, DEPTH_MAX)
  if (!read) {
    const { offset, reason } = findJsonProblem(json, DEPTH_MAX) ?? { offset: 0, reason: 'it cannot be parsed' }
    return refuse(`the text after the marker is not valid JSON, ${placeOf(json, offset)}: ${reason}`)
  }
  const { value } = read
  if (has(value, 'source')) return refuse('it has a "source", which only svc may set')
  const parsed = v.safeParse(SkillResultFrame, value)
  if (!parsed.success) return refuse(`it is not a valid SkillResult: ${issueOf(parsed.issues[0])}`)
  const { source: _, ...frame } = parsed.output
  if (frame.skillId !== skillId)
    return refuse(`it is the result of ${JSON.stringify(frame.skillId)}, not of ${skillId}`)
  return { ok: true, result: { ...frame, source } }
}
