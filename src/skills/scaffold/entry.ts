/** Section New skill rules: the registry entry of a new skill, and where its files are. */
import { basename, dirname, join, posix } from 'node:path'
import type { RegistryEntry } from '../../contracts/registry.ts'
import type { RepoPlace } from '../containment.ts'
import type { NewId } from './new-id.ts'

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
