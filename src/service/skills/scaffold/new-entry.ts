/** Section New skill rules: the ids that a new skill may have, what they say, and its entry in the registry. */
import { basename, dirname, join, posix } from 'node:path'
import * as v from 'valibot'
import { ID_CHARS_MAX } from '../../../contracts/limits/limits.ts'
import { NewSkillId, type RegistryEntry } from '../../../contracts/skills/registry.ts'
import type { RepoPlace } from '../containment.ts'
import { type Refusal, refuse } from '../refusal.ts'

/** Below the skill directory, in the order in which they are listed. */
export const FILES = {
  skillFile: 'SKILL.md',
  skillJson: 'skill.json',
  script: 'scripts/run.js',
  shellScript: 'scripts/run.sh',
} as const

/** A summary is one line. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

export const entryOf = ({ skillId, applicationId, intent }: NewId, place: RepoPlace, summary = ''): RegistryEntry => {
  const path = posix.join(basename(dirname(place.path)), skillId)
  return {
    id: skillId,
    applicationId,
    intent,
    summary: oneLine(summary) || `To be described: ${intent} in ${applicationId}`,
    path,
    skillFile: posix.join(path, FILES.skillFile),
    scripts: [FILES.script, FILES.shellScript].map(file => posix.join(path, file)),
    artifacts: [],
  }
}

/** Beside the registry file. */
export const folderOf = ({ skillId }: NewId, place: RepoPlace): string => join(dirname(place.path), skillId)

export interface NewId {
  ok: true
  skillId: string
  applicationId: string
  intent: string
}

const HINT = 'An id is <applicationId>.<intent>, such as com.android.settings.battery-level.'
const SHOWN_CHARS = 100

const invalid = (message: string): Refusal => refuse('SKILL_ID_INVALID', message, { hint: HINT })

/** The id is a folder's name as well, and the taskId of what the skill executes. */
export const readNewId = (skillId: string): NewId | Refusal => {
  const shownId = JSON.stringify(skillId.slice(0, SHOWN_CHARS))
  if (skillId.length > ID_CHARS_MAX)
    return invalid(`The skill id ${shownId}... is longer than ${ID_CHARS_MAX} characters.`)
  const parsed = v.safeParse(NewSkillId, skillId)
  if (!parsed.success) return invalid(`The skill id ${shownId} ${parsed.issues[0].message}.`)
  const dot = skillId.lastIndexOf('.')
  return { ok: true, skillId, applicationId: skillId.slice(0, dot), intent: skillId.slice(dot + 1) }
}
