/** `svc skills new`: the files of a new skill and its registry entry, both or none. */
import { accessSync, constants, copyFileSync, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { HOME_MODE, STATE_FILE_MODE } from '../../../contracts/limits/limits.ts'
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import type { SkillCreated } from '../../../contracts/skills/skill-commands.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { makeFolder } from '../../../runtime/files/make-folder.ts'
import { makeOwnerOnly } from '../../../runtime/files/owner-only.ts'
import { systemProblem } from '../../../runtime/system-problem.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { withRegistryLock, writeEntry } from '../registry/change.ts'
import { loadRegistry, type Registry, type RegistryOptions, readRegistry, registrySentence } from '../registry/load.ts'
import { entryOf, FILES, folderOf, type NewId, readNewId } from './new-entry.ts'
import { runJs, skillMd } from './templates.ts'

export interface NewSkillOptions extends RegistryOptions {
  skillId: string
  summary?: string | undefined
  /** A file, copied into the skill directory. */
  recordingContext?: string | undefined
  /** Builds the content of a skill that is more than a scaffold; `registryPath` is the path of the file. */
  content?: ((entry: RegistryEntry, registryPath: string) => SkillContent) | undefined
  clock: Clock
  lockWaitMs?: number | undefined
}

/** The texts of a new skill's files; `more` holds others, by their paths below the folder of the skill. */
interface SkillTexts {
  skillMd: string
  runJs: string
  more: Readonly<Record<string, string | Uint8Array>>
}

export interface SkillContent {
  /** With what the registry is to say beyond the scaffold. */
  entry: RegistryEntry
  texts: SkillTexts
}

type NewSkill = { ok: true; output: SkillCreated } | Refusal

/** Under the lock of the registry only one process has it. */
const STAGING = '.svc-new-skill'

const failed = (message: string, hint?: string): Refusal => refuse('SKILLS_SCAFFOLD_FAILED', message, { hint })

const taken = (skillId: string, reason: string, path: string, hint?: string): Refusal =>
  refuse('SKILL_ALREADY_EXISTS', `The skill ${skillId} already exists: ${reason}.`, {
    details: { skillId, path },
    hint,
  })

const recordingProblem = (path: string): string | undefined => {
  try {
    if (!statSync(path).isFile()) return 'is not a regular file'
    accessSync(path, constants.R_OK)
    return undefined
  } catch (error) {
    return systemProblem(error).said
  }
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

const takenIn = ({ path, skills }: Registry, { skillId }: NewId, folder: string): Refusal | undefined => {
  if (skills.some(({ id }) => id === skillId)) return taken(skillId, 'the registry lists it', path)
  if (!isThere(folder)) return undefined
  const hint = 'Choose another id, or move the folder away.'
  return taken(skillId, `its folder ${folder} is there, though the registry does not list it`, folder, hint)
}

const runSh = (): string => `#!/bin/sh
# The steps are in run.js beside this file; its frame ends the output of both.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
exec "\${NODE:-node}" "$here/run.js" "$@"
`

const PROGRAM_MODE = 0o700

/** The file name of the recording in the skill directory: its own, unless one of the skill's files has it. */
const recordingName = (recording: string): string => {
  const name = basename(recording)
  const used = Object.values(FILES).map(file => file.split('/')[0]?.toLowerCase())
  return used.includes(name.toLowerCase()) ? `recording-${name}` : name
}

interface Staged {
  entry: RegistryEntry
  /** A file, copied into the folder. */
  recording?: string | undefined
  /** Left out for a skill that is yet to be written. */
  texts?: SkillTexts | undefined
}

/** Writes the skill anew, over the remains of an earlier crash. Passes on what the disk throws. */
const stageSkill = (folder: string, { entry, recording, texts }: Staged): void => {
  const name = recording === undefined ? undefined : recordingName(recording)
  const write = (file: string, text: string | Uint8Array, mode: number) =>
    writeFileSync(join(folder, file), text, { mode })
  rmSync(folder, { recursive: true, force: true })
  makeFolder(join(folder, dirname(FILES.script)), HOME_MODE)
  write(FILES.skillFile, texts?.skillMd ?? skillMd(entry, name), STATE_FILE_MODE)
  write(FILES.skillJson, `${JSON.stringify(entry, null, 2)}\n`, STATE_FILE_MODE)
  write(FILES.script, texts?.runJs ?? runJs(entry), PROGRAM_MODE)
  write(FILES.shellScript, runSh(), PROGRAM_MODE)
  for (const [file, text] of Object.entries(texts?.more ?? {})) {
    makeFolder(join(folder, dirname(file)), HOME_MODE)
    write(file, text, STATE_FILE_MODE)
  }
  if (recording === undefined || name === undefined) return
  copyFileSync(recording, join(folder, name))
  makeOwnerOnly(join(folder, name))
}

/** The folder appears whole, then the entry; without the entry the folder goes again. */
const place = (staging: string, folder: string, registryPath: string, entry: RegistryEntry): Refusal | undefined => {
  renameSync(staging, folder)
  try {
    const problem = writeEntry(registryPath, entry)
    if (problem === undefined) return undefined
    rmSync(folder, { recursive: true, force: true })
    return failed(`The registry ${registryPath} ${problem}; nothing was made.`)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** A registry that was named by a flag has to be named again. */
const runLine = (skillId: string, registryPath: string, { registry }: NewSkillOptions): string =>
  commandLine('svc', 'skills', 'run', ...(registry === undefined ? [] : ['--registry', registryPath]), skillId)

const created = ({ skillId }: NewId, registryPath: string, folder: string, options: NewSkillOptions): NewSkill => ({
  ok: true,
  output: {
    created: true,
    skillId,
    registryPath,
    skillPath: folder,
    files: Object.values(FILES).map(file => join(folder, file)),
    next: `Write its steps in ${join(folder, FILES.script)}, then run: ${runLine(skillId, registryPath, options)}`,
  },
})

/** To be called under the lock. */
const scaffold = (
  id: NewId,
  registryPath: string,
  options: NewSkillOptions,
  recording: string | undefined,
): NewSkill => {
  const read = readRegistry(registryPath)
  if (!read.ok) {
    const sentence = registrySentence(registryPath, read.problem)
    return refuse('REGISTRY_READ_FAILED', `Cannot read the skills registry: ${sentence}`)
  }
  const folder = folderOf(id, read.registry)
  const refused = takenIn(read.registry, id, folder)
  if (refused) return refused
  const plain = entryOf(id, read.registry, options.summary)
  const content = options.content?.(plain, registryPath)
  const entry = content?.entry ?? plain
  const staging = join(dirname(registryPath), STAGING)
  try {
    stageSkill(staging, { entry, recording, texts: content?.texts })
    return place(staging, folder, registryPath, entry) ?? created(id, registryPath, folder, options)
  } catch (error) {
    return failed(
      `The skill ${id.skillId} could not be written: ${folder} ${systemProblem(error).said}; nothing was made.`,
    )
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

export const newSkill = async (options: NewSkillOptions): Promise<NewSkill> => {
  const { skillId, recordingContext, cwd, clock, lockWaitMs } = options
  const id = readNewId(skillId)
  if (!id.ok) return id
  const loaded = loadRegistry(options)
  if (!loaded.ok) return loaded
  const recording = recordingContext === undefined ? undefined : resolve(cwd, recordingContext)
  const problem = recording === undefined ? undefined : recordingProblem(recording)
  if (problem !== undefined) {
    const hint = 'Name a file that can be read with --recording-context, or leave the flag out.'
    return failed(`The recording context ${recordingContext} ${problem}.`, hint)
  }
  const { path } = loaded.registry
  const locked = await withRegistryLock({ path, clock, waitMs: lockWaitMs }, () =>
    scaffold(id, path, options, recording),
  )
  return locked.ok ? locked.value : failed(`The registry could not be changed: ${locked.problem}.`)
}
