/** A skills repository on the disk, as somebody might have written it. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ErrorObject } from '../../../src/contracts/failures/error.ts'
import type { RegistryEntry } from '../../../src/contracts/skills/registry.ts'
import { loadRegistry, type Registry } from '../../../src/service/skills/registry/load.ts'

export type Entry = RegistryEntry & Record<string, unknown>

export const entryFor = (id: string, more: Partial<Entry> = {}): Entry => {
  const dot = id.lastIndexOf('.')
  const path = `skills/${id}`
  return {
    id,
    applicationId: id.slice(0, dot),
    intent: id.slice(dot + 1),
    summary: `Does ${id}`,
    path,
    skillFile: `${path}/SKILL.md`,
    scripts: [`${path}/scripts/run.js`, `${path}/scripts/run.sh`],
    artifacts: [],
    ...more,
  }
}

export interface SkillRepo {
  root: string
  registryPath: string
  /** Writes a file below the root. */
  write(path: string, content: string | object): string
  /** Writes the registry file. */
  list(entries: readonly object[], more?: object): void
  /** Writes the four files of a skill, `skill.json` with what it says differently. */
  add(entry: Entry, skillJson?: object): void
  load(): Registry
}

const textOf = (content: string | object) => (typeof content === 'string' ? content : JSON.stringify(content, null, 2))

export const skillRepo = (folder: string): SkillRepo => {
  const root = mkdtempSync(join(folder, 'repo-'))
  const registryPath = join(root, 'skills', 'skills-registry.json')
  const write = (path: string, content: string | object) => {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, textOf(content))
    return file
  }
  return {
    root,
    registryPath,
    write,
    list: (skills, more = {}) => void write('skills/skills-registry.json', { ...more, skills }),
    add(entry, skillJson = {}) {
      write(`${entry.path}/skill.json`, { ...entry, ...skillJson })
      for (const file of [entry.skillFile, ...entry.scripts]) write(file, 'x\n')
    },
    load() {
      const loaded = loadRegistry({ registry: registryPath, cwd: root, home: root })
      if (!loaded.ok) throw new Error(loaded.error.message)
      return loaded.registry
    },
  }
}

/** The error of what must be refused. */
export const refused = (result: { ok: true } | { ok: false; error: ErrorObject }): ErrorObject => {
  if (result.ok) throw new Error(`accepted: ${JSON.stringify(result).slice(0, 500)}`)
  return result.error
}

/** The output of what must not be. */
export const output = <T>(result: { ok: true; output: T } | { ok: false; error: ErrorObject }): T => {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`)
  return result.output
}
