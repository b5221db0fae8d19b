/** A skills repo in a temporary folder and a host that runs its skills, with gates that a test may close. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CATALOGUE } from '../../../machines/catalogue.ts'
import type { RegistryEntry } from '../../../src/contracts/skills/registry.ts'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { createHost } from '../../../src/runtime/host.ts'
import { systemIds } from '../../../src/runtime/ids.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import type { LeftProcessEnders } from '../../../src/runtime/registry.ts'
import { refuse } from '../../../src/service/skills/refusal.ts'
import { readRegistry } from '../../../src/service/skills/registry/load.ts'
import { skillRunPorts } from '../../../src/service/skills/run/child-port.ts'
import { type ChildSystem, childSystem } from '../../../src/service/skills/run/child-system.ts'
import type { LiveRuns, SkillRunDeps } from '../../../src/service/skills/run/live-run.ts'
import type { ChildWorld, SkillRunRequest } from '../../../src/service/skills/run/request.ts'
import { runSkill } from '../../../src/service/skills/run/run-skill.ts'
import { openTestPty } from '../cli/pty.ts'
import { plainEnv } from '../run-program.ts'

export interface NewSkill {
  id?: string
  /** Text by path inside the skill directory; `.sh` files and those without an extension become executable. */
  files: Record<string, string>
  /** Paths inside the skill directory, as the entry lists them. */
  scripts?: string[]
  entry?: Partial<RegistryEntry>
  /** What skill.json holds beyond the entry's fields; null writes no skill.json. */
  skillJson?: Record<string, unknown> | null
}

export interface LabOptions {
  clock?: Clock
  journal?: Journal
  holder?: { pid: number; started: string; instance: string }
  endLeftOvers?: LeftProcessEnders
}

export type LabRun = Partial<SkillRunRequest> &
  Partial<Pick<SkillRunDeps, 'validate' | 'checkDevice' | 'loadRegistry' | 'host' | 'policy'>> & {
    world?: Partial<Omit<ChildWorld, 'system'>>
    system?: Partial<ChildSystem>
  }

const SKILL = 'com.lab.do'

export const identityOf = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

export const createSkillLab = (folder: string, options: LabOptions = {}) => {
  const root = mkdtempSync(join(folder, 'repo-'))
  const registryPath = join(root, 'skills', 'skills-registry.json')
  const clock = options.clock ?? systemClock()
  const journal = options.journal ?? memoryJournal({ alive: () => true, clock })
  const runs: LiveRuns = new Map()
  const host = createHost({
    journal,
    clock,
    definitions: CATALOGUE,
    ports: { 'skill-run': skillRunPorts({ runs, clock }) },
    holder: options.holder ?? { pid: process.pid, started: 'now', instance: 'lab' },
    ...(options.endLeftOvers ? { endLeftProcesses: options.endLeftOvers } : {}),
  })

  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    if (!/\.(js|json|md)$/.test(path)) chmodSync(path, 0o755)
  }

  const registered = (): RegistryEntry[] =>
    existsSync(registryPath) ? JSON.parse(readFileSync(registryPath, 'utf8')).skills : []

  const add = ({ id = SKILL, files, scripts, entry = {}, skillJson = {} }: NewSkill): string => {
    const path = join('skills', id)
    const listed: RegistryEntry = {
      id,
      applicationId: 'com.lab',
      intent: 'do',
      summary: 'Does it',
      path,
      skillFile: join(path, 'SKILL.md'),
      scripts: (scripts ?? Object.keys(files).filter(name => name.startsWith('scripts/'))).map(name =>
        join(path, name),
      ),
      artifacts: [],
      ...entry,
    }
    write(join(root, path, 'SKILL.md'), '# A skill\n')
    if (skillJson) write(join(root, path, 'skill.json'), JSON.stringify({ ...listed, ...skillJson }))
    for (const [name, text] of Object.entries(files)) write(join(root, path, name), text)
    const others = registered().filter(other => other.id !== id)
    write(registryPath, JSON.stringify({ skills: [...others, listed] }))
    return join(root, path)
  }

  const run = ({ host: asked, validate, checkDevice, loadRegistry, policy, world, system, ...request }: LabRun = {}) =>
    runSkill(
      { skillId: SKILL, operatorPackage: 'com.svc.operator', args: [], ...request },
      {
        host: asked ?? host,
        journal,
        runs,
        clock,
        ids: systemIds(),
        validate: validate ?? (async () => ({ ok: true })),
        checkDevice: checkDevice ?? (async () => ({ ok: true })),
        policy: policy ?? (async () => undefined),
        loadRegistry:
          loadRegistry ??
          (() => {
            const read = readRegistry(registryPath)
            return read.ok ? read : refuse('REGISTRY_READ_FAILED', read.problem)
          }),
        world: {
          env: plainEnv(),
          cwd: root,
          node: process.execPath,
          program: '/opt/svc',
          home: join(root, 'home'),
          runFolders: [join(root, 'runs')],
          system: { ...childSystem, openPty: openTestPty, startOf: identityOf, ...system },
          ...world,
        },
      },
    )

  return {
    root,
    registryPath,
    clock,
    journal,
    host,
    runs,
    add,
    run,
    /** One skill with one shell script, and its run. */
    sh: (script: string, more: LabRun = {}, skill: Partial<NewSkill> = {}) => {
      add({ files: { 'scripts/run.sh': `#!/bin/sh\n${script}\n` }, ...skill })
      return run(more)
    },
    js: (script: string, more: LabRun = {}, skill: Partial<NewSkill> = {}) => {
      add({ files: { 'scripts/run.js': script }, ...skill })
      return run(more)
    },
    events: (runId: string) => journal.records({ actor: `skill-run:${runId}` }).map(record => record.event),
  }
}

/** A SkillResult as a skill frames it. */
export const frameOf = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  contractVersion: '1.0.0',
  skillId: SKILL,
  result: { kind: 'text', text: 'done' },
  status: 'success',
  checkpoints: [],
  ...more,
})

export const MARKER = '[Svc-Skill-Result]'

/** A shell command that prints a frame. */
export const printFrame = (more: Record<string, unknown> = {}): string =>
  `cat <<'FRAME'\n${MARKER}\n${JSON.stringify(frameOf(more))}\nFRAME`

/** An `onOutput` that acts once, when the child has said that word. */
export const whenSaid = (word: string, act: () => void): SkillRunRequest['onOutput'] => {
  let said = ''
  let done = false
  return ({ text }) => {
    said += text
    if (done || !said.includes(word)) return
    done = true
    act()
  }
}
