/** The skills of this process, as routes and commands ask for them. */
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import { startOf } from '../runtime/processes.ts'
import { refuse } from './refusal.ts'
import { type CachedRegistry, cachedRegistry } from './registry/cached.ts'
import { findSkill } from './registry/find.ts'
import type { RegistryOptions } from './registry/where.ts'
import type { LiveRuns } from './run/live-run.ts'
import { openPty } from './run/pty.ts'
import type { ChildWorld, DeviceGate, SkillRunDeps } from './run/request.ts'
import { runSkill } from './run/run-skill.ts'
import type { Skills } from './service.ts'
import { judgeInSlices } from './validate/check-skill.ts'

export interface SkillsOptions extends Pick<SkillRunDeps, 'clock'> {
  host: Pick<Host, 'ask' | 'tell' | 'whileOwned'>
  ids: Ids
  /** The map that the ports of the host were given. */
  runs: LiveRuns
  checkDevice: DeviceGate
  /** Where the registry is looked for when a request names none. */
  places: Omit<RegistryOptions, 'registry'>
  world: Omit<ChildWorld, 'openPty' | 'startOf'>
}

/** Run rule 2: as `validate --dry-run`. */
const gateOf =
  (registry: CachedRegistry, clock: Clock): SkillRunDeps['validate'] =>
  async (skillId, signal) => {
    const loaded = registry.load()
    if (!loaded.ok) return loaded
    const found = findSkill(loaded.registry, skillId)
    if (!found.ok) return found
    const verdict = await judgeInSlices(found.skill, loaded.registry, { clock, signal })
    return verdict ?? refuse('SKILL_EXECUTION_FAILED', `The check of ${skillId} was given up.`)
  }

export const createSkills = (options: SkillsOptions): Skills => {
  const { host, ids, runs, clock, checkDevice, places } = options
  const world: ChildWorld = { ...options.world, openPty, startOf }
  const usual = cachedRegistry({ ...places, clock })
  return {
    load: usual.load,
    run: ({ registry: named, ...request }) => {
      const registry = named === undefined ? usual : cachedRegistry({ ...places, registry: named, clock })
      const validate = gateOf(registry, clock)
      return runSkill(request, { host, runs, clock, ids, validate, checkDevice, loadRegistry: registry.load, world })
    },
  }
}
