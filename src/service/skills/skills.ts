/** The skills of this process, as routes and commands ask for them. */

import type { Clock } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { SkillPolicy } from '../policy/gates.ts'
import { refuse } from './refusal.ts'
import { type CachedRegistry, cachedRegistry, findSkill } from './registry/find.ts'
import type { RegistryOptions } from './registry/load.ts'
import { type ChildSystem, childSystem } from './run/child-system.ts'
import type { FinishedRun } from './run/finished-run.ts'
import type { LiveRuns, SkillRunDeps } from './run/live-run.ts'
import type { ChildWorld, DeviceGate, SkillRunRequest } from './run/request.ts'
import { runFolderPlaces } from './run/run-folder.ts'
import { runSkill } from './run/run-skill.ts'
import { programOf } from './run/svc-bin.ts'
import { checkSkillInSlices } from './validate/check-skill.ts'

export interface RunRequest extends SkillRunRequest {
  /** `--registry <file>`; without it the registry is looked for where it usually is. */
  registry?: string | undefined
}

export interface SkillsOptions extends Pick<SkillRunDeps, 'clock'>, Pick<ChildWorld, 'env' | 'cwd' | 'home'> {
  host: Pick<Host, 'ask' | 'endForOwner' | 'follow' | 'tell' | 'whileOwned'>
  journal: Pick<Journal, 'leases'>
  ids: Ids
  /** The map that the ports of the host were given. */
  runs: LiveRuns
  checkDevice: DeviceGate
  policy: SkillPolicy
  /** The program file of this svc, which skills call it by unless SVC_BIN names another. */
  program: string | undefined
  /** The real one unless told. */
  system?: ChildSystem | undefined
}

const worldOf = ({ env, cwd, home, program, system = childSystem }: SkillsOptions): ChildWorld => ({
  env,
  cwd,
  home,
  node: process.execPath,
  program: programOf(env, program),
  runFolders: runFolderPlaces(home, env.TMPDIR),
  system,
})

/** Run rule 2: as `validate --dry-run`. */
const gateOf =
  (registry: CachedRegistry, clock: Clock): SkillRunDeps['validate'] =>
  async (skillId, signal) => {
    const loaded = registry.load()
    if (!loaded.ok) return loaded
    const found = findSkill(loaded.registry, skillId)
    if (!found.ok) return found
    const checked = await checkSkillInSlices(found.skill, loaded.registry, { clock, signal })
    return checked ?? refuse('SKILL_EXECUTION_FAILED', `The check of ${skillId} was cancelled.`)
  }

export const createSkills = (options: SkillsOptions) => {
  const { host, journal, ids, runs, clock, checkDevice, policy, env, cwd, home } = options
  const places: Omit<RegistryOptions, 'registry'> = { registryEnv: env.SVC_SKILLS_REGISTRY, cwd, home }
  const world = worldOf(options)
  world.system.removeLeftRunFolders(world.runFolders, clock.now())
  const usual = cachedRegistry({ ...places, clock })
  return {
    /** Read again only when the file has changed. */
    load: usual.load,
    run: ({ registry: named, ...request }: RunRequest): Promise<FinishedRun> => {
      const registry = named === undefined ? usual : cachedRegistry({ ...places, registry: named, clock })
      const validate = gateOf(registry, clock)
      const loadRegistry = registry.load
      return runSkill(request, { host, journal, runs, clock, ids, validate, checkDevice, policy, loadRegistry, world })
    },
  }
}

export type Skills = ReturnType<typeof createSkills>
