/** Section New skill rules: which ids a new skill may have, and what they say. */
import * as v from 'valibot'
import { ID_CHARS_MAX } from '../../contracts/limits.ts'
import { NewSkillId } from '../../contracts/registry.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface NewId {
  ok: true
  skillId: string
  applicationId: string
  intent: string
}

const HINT = 'An id is <applicationId>.<intent>, such as com.android.settings.battery-level.'
const SHOWN_CHARS = 100

const invalid = (said: string): Refusal => refuse('SKILL_ID_INVALID', said, { hint: HINT })

/** The id is a folder's name as well, and the taskId of what the skill executes. */
export const readNewId = (skillId: string): NewId | Refusal => {
  const shown = JSON.stringify(skillId.slice(0, SHOWN_CHARS))
  if (skillId.length > ID_CHARS_MAX)
    return invalid(`The skill id ${shown}... is longer than ${ID_CHARS_MAX} characters.`)
  const parsed = v.safeParse(NewSkillId, skillId)
  if (!parsed.success) return invalid(`The skill id ${shown} ${parsed.issues[0].message}.`)
  const dot = skillId.lastIndexOf('.')
  return { ok: true, skillId, applicationId: skillId.slice(0, dot), intent: skillId.slice(dot + 1) }
}
