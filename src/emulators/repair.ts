/** What a host that died in the middle of a change left behind: found, ended or removed, and said. */
import type { Cut, RepairInput } from '../../machines/emulator-context.ts'
import type { EmulatorProcess } from '../contracts/events/emulator.ts'
import { isAlive, type ProcessIdentity } from '../runtime/processes.ts'
import { hasAvdFiles, hasAvdLeftovers, removeAvdFiles } from './avd-files.ts'
import type { EmulatorDeps } from './deps.ts'
import { processesOf } from './marked.ts'
import { endProcess, logPath } from './process.ts'
import { avdHome } from './sdk.ts'

/** Tools of the SDK that still run for a request nobody waits for. */
const endTools = async ({ cut, tool }: RepairInput, { clock }: EmulatorDeps): Promise<string[]> => {
  const marked = cut ? processesOf(cut.requestId) : []
  const recorded: ProcessIdentity[] = tool && isAlive(tool) ? [tool] : []
  const pids = new Map([...recorded, ...marked].map(identity => [identity.pid, identity]))
  await Promise.all([...pids.values()].map(identity => endProcess(identity, clock)))
  return [...pids.keys()].map(pid => `process ${pid} was ended`)
}

/** The emulator that was started, though perhaps not recorded any more. */
const startedBy = ({ avdName, cut, process }: RepairInput, { folder }: EmulatorDeps): EmulatorProcess | null => {
  if (process && isAlive(process)) return process
  const [oldest] = cut ? processesOf(cut.requestId) : []
  return oldest ? { ...oldest, log: logPath(folder, avdName) } : null
}

const STARTING = new Set(['spawning', 'registering', 'booting', 'preparing'])

export interface Repaired {
  /** The emulator that the dead host had started, if it lives. */
  process: EmulatorProcess | null
  done: string
}

export const repairLeftovers = async (input: RepairInput, cut: Cut, deps: EmulatorDeps): Promise<Repaired> => {
  const { avdName } = input
  const home = avdHome(deps.env)
  const { phase } = cut
  const done: string[] = []
  const isStart = STARTING.has(phase)
  const process = isStart ? startedBy(input, deps) : null
  if (process) done.push(`process ${process.pid} of the emulator goes on`)
  if (!isStart) done.push(...(await endTools(input, deps)))
  if (phase === 'creating' && hasAvdLeftovers(home, avdName)) {
    removeAvdFiles(home, avdName)
    done.push('half of the AVD was removed')
  }
  // avdmanager removes the folder and the ini one after the other.
  if (phase === 'deleting' && hasAvdLeftovers(home, avdName) && !hasAvdFiles(home, avdName)) {
    removeAvdFiles(home, avdName)
    done.push('the rest of the AVD was removed')
  }
  return { process, done: `interrupted while ${phase}; ${done.join('; ') || 'nothing was left to clean up'}` }
}
