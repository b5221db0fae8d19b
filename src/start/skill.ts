/**
 * The root of `svc skills run`, with only what a run needs: all services take longer to load than most scripts run, and a
 * run touches the debug bridge itself only to look at a device that is there.
 */

import { RESERVATION } from '../../machines/reservation/reservation-definition.ts'
import { SKILL_RUN } from '../../machines/skill-run/skill-run-definition.ts'
import { isBridgeAbsent } from '../device/link/bridge-absent.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Environment } from '../runtime/home.ts'
import { skillRunPorts } from '../service/skills/run/child-port.ts'
import type { LiveRuns } from '../service/skills/run/live-run.ts'
import type { DeviceGate } from '../service/skills/run/request.ts'
import { createSkills, type Skills, type SkillsOptions } from '../service/skills/skills.ts'
import { createFoundation, type FoundationOptions } from './foundation.ts'

/** The debug bridge is loaded only where there may be a device. */
export const lateDeviceGate =
  (options: { env: Environment; clock: Clock }): DeviceGate =>
  async (deviceId, signal, whileOwned, ask) => {
    if (deviceId === undefined && (await isBridgeAbsent(options))) return { ok: true }
    const { openDeviceGate } = await import('./device-gate.ts')
    const { check, close } = openDeviceGate(options)
    // Not held open: the script's own calls speak to the device themselves.
    return check(deviceId, signal, whileOwned, ask).finally(close)
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
export const createSkillServices = (
  options: FoundationOptions & Pick<SkillsOptions, 'cwd' | 'program' | 'checkDevice'>,
): SkillServices => {
  const { world, open, policies, host: hostOver, prune } = createFoundation(options)
  const { clock, ids } = world
  const runs: LiveRuns = new Map()
  const journal = open()
  const ports = { 'skill-run': skillRunPorts({ runs, clock }) }
  const host = hostOver(journal, { definitions: { 'skill-run': SKILL_RUN, reservation: RESERVATION }, ports })
  const recovered = host.recover().then(
    () => {},
    // The next host settles them.
    () => {},
  )
  return {
    clock,
    skills: createSkills({
      ...options,
      host,
      journal,
      runs,
      clock,
      ids,
      policy: policies(journal).forSkills,
      system: world.children,
    }),
    abandon() {
      for (const { started, folder } of runs.values()) {
        started?.end('SIGKILL')
        folder?.remove()
      }
    },
    async close() {
      await host.stop({ graceMs: GRACE_MS })
      await recovered
      await prune(journal)
      journal.close()
    },
  }
}
