/** Writes the files of a new skill into a staging directory, from where they appear all at once. */
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { RegistryEntry } from '../../contracts/registry.ts'
import { makeFolder } from '../../runtime/make-folder.ts'
import { FILES } from './entry.ts'
import { runJs } from './templates/run-js.ts'
import { skillMd } from './templates/skill-md.ts'

export const runSh = (): string => `#!/bin/sh
# The steps are in run.js beside this file; its frame ends the output of both.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
exec "\${NODE:-node}" "$here/run.js" "$@"
`

const FOLDER_MODE = 0o755
const PROGRAM_MODE = 0o755
const TEXT_MODE = 0o644

/** Of the recording in the skill directory: its own, unless one of the skill's files has it. */
export const recordingName = (recording: string): string => {
  const name = basename(recording)
  const taken = Object.values(FILES).map(file => file.split('/')[0]?.toLowerCase())
  return taken.includes(name.toLowerCase()) ? `recording-${name}` : name
}

/** What the files of a new skill say; `more` are others, by their paths below the folder of the skill. */
export interface SkillTexts {
  skillMd: string
  runJs: string
  more: Readonly<Record<string, string>>
}

export interface Staged {
  entry: RegistryEntry
  /** A file, copied into the folder. */
  recording?: string | undefined
  /** Left out for a skill that is yet to be written. */
  texts?: SkillTexts | undefined
}

/** What an earlier crash left at the same place goes. Throws what the disk throws. */
export const stageSkill = (folder: string, { entry, recording, texts }: Staged): void => {
  const name = recording === undefined ? undefined : recordingName(recording)
  const write = (file: string, text: string, mode: number) => writeFileSync(join(folder, file), text, { mode })
  rmSync(folder, { recursive: true, force: true })
  makeFolder(join(folder, dirname(FILES.script)), FOLDER_MODE)
  write(FILES.skillFile, texts?.skillMd ?? skillMd(entry, name), TEXT_MODE)
  write(FILES.skillJson, `${JSON.stringify(entry, null, 2)}\n`, TEXT_MODE)
  write(FILES.script, texts?.runJs ?? runJs(entry), PROGRAM_MODE)
  write(FILES.shellScript, runSh(), PROGRAM_MODE)
  for (const [file, text] of Object.entries(texts?.more ?? {})) {
    makeFolder(join(folder, dirname(file)), FOLDER_MODE)
    write(file, text, TEXT_MODE)
  }
  if (recording !== undefined && name !== undefined) copyFileSync(recording, join(folder, name))
}
