/**
 * A second place that constructs: only what `svc skills run` needs. All of the services take longer to load than most
 * scripts run, and a run touches the debug bridge itself only to look at a device that is there.
 */
import { SKILL_RUN } from '../machines/skill-run-definition.ts'
import { createPolicies } from './policy/policies.ts'
import { type Clock, systemClock } from './runtime/clock.ts'
import { journalPath } from './runtime/home.ts'
import { createHost } from './runtime/host.ts'
import { systemIds } from './runtime/ids.ts'
import { memoryJournal } from './runtime/journal/memory.ts'
import { openJournal } from './runtime/journal/sqlite.ts'
import { pruneIfDue } from './runtime/journal/upkeep.ts'
import { mayLive, thisProcess } from './runtime/processes.ts'
import { createTroubles } from './runtime/troubles.ts'
import { runLeftOvers } from './skills/run/end-orphans.ts'
import type { LiveRuns } from './skills/run/live-run.ts'
import { skillRunPorts } from './skills/run/ports.ts'
import type { DeviceGate } from './skills/run/request.ts'
import type { Skills } from './skills/service.ts'
import { createSkills } from './skills/skills.ts'

export interface SkillServicesOptions {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** `~/.svc`, or SVC_HOME. */
  home: string
  /** The program file of this svc, which skills call it by. */
  program: string | undefined
  checkDevice: DeviceGate
  /** A line for a person. */
  note(text: string): void
}

export interface SkillServices {
  clock: Clock
  skills: Skills
  /** Kills what the runs started and removes their folders, without waiting for anything. */
  abandon(): void
  close(): Promise<void>
}

/** A run that this process asked for has been answered when it closes. */
const GRACE_MS = 0

/** Throws JournalError. */
export const createSkillServices = (options: SkillServicesOptions): SkillServices => {
  const { env, cwd, home, program, checkDevice } = options
  const clock = systemClock()
  const ids = systemIds()
  const runs: LiveRuns = new Map()
  const path = journalPath(home)
  const isRecorded = env.SVC_JOURNAL !== 'off'
  const troubles = createTroubles({ clock, note: options.note })
  const kept = { alive: mayLive, clock, troubles }
  const journal = isRecorded ? openJournal({ path, ...kept }) : memoryJournal(kept)
  const host = createHost({
    journal,
    clock,
    definitions: { 'skill-run': SKILL_RUN },
    ports: { 'skill-run': skillRunPorts({ runs, clock }) },
    holder: { ...thisProcess(), instance: ids.instance() },
    endLeftOvers: runLeftOvers(journal),
    troubles,
  })
  const policy = createPolicies({ env, home, journal, clock, note: options.note }).forSkills
  const recovered = host.recover().then(
    () => {},
    // The next host settles them.
    () => {},
  )
  return {
    clock,
    skills: createSkills({ host, runs, clock, ids, checkDevice, policy, env, cwd, home, program }),
    abandon() {
      for (const { started, folder } of runs.values()) {
        started?.end('SIGKILL')
        folder?.remove()
      }
    },
    async close() {
      await host.stop({ graceMs: GRACE_MS })
      await recovered
      if (isRecorded) await pruneIfDue({ journal, path, clock })
      journal.close()
    },
  }
}
