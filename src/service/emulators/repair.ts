/** Repairs an unfinished change of a host that died: finds its remains, ends or removes them, and reports that. */
import type { EmulatorPhase, InterruptedChange, ObserveInput } from '../../../machines/emulator/emulator-context.ts'
import type { EmulatorProcess } from '../../contracts/events/emulator.ts'
import { isAlive, type ProcessIdentity } from '../../runtime/processes/processes.ts'
import { createdAt, hasAvdFiles, hasAvdLeftovers, removeAvdFiles } from './avd-files.ts'
import { endProcess, logPath } from './process.ts'
import { isEmulatorOf, processesOf } from './run-tool.ts'
import { avdHome, type EmulatorDeps } from './sdk.ts'

type Leftovers = Omit<ObserveInput, 'requestId'>

/** Tools of the SDK that still run for a request nobody waits for, and an emulator whose start had failed. */
const endProcesses = async ({ cut, tool, process }: Leftovers, { clock }: EmulatorDeps): Promise<string[]> => {
  const marked = cut ? processesOf(cut.requestId) : []
  const abandoned = cut?.phase === 'abandoning' && process ? [process] : []
  const recorded: ProcessIdentity[] = [...(tool ? [tool] : []), ...abandoned].filter(isAlive)
  const pids = new Map([...recorded, ...marked].map(identity => [identity.pid, identity]))
  await Promise.all([...pids.values()].map(identity => endProcess(identity, clock)))
  return [...pids.keys()].map(pid => `process ${pid} was ended`)
}

/** The emulator that was started, though perhaps not recorded any more. */
const startedBy = ({ avdName, cut, process }: Leftovers, { folder }: EmulatorDeps): EmulatorProcess | null => {
  if (process && isAlive(process)) return process
  const marked = cut ? processesOf(cut.requestId) : []
  const emulator = marked.find(({ pid }) => isEmulatorOf(pid, avdName))
  return emulator ? { ...emulator, log: logPath(folder, avdName) } : null
}

/** Clocks of file systems are coarse. */
const SLACK_MS = 2_000

/** Removes what the dead host alone can have left of an AVD, and says so. */
const removeHalves = ({ avdName, cut }: Leftovers, home: string): string[] => {
  if (!cut || !hasAvdLeftovers(home, avdName)) return []
  if (cut.making) {
    // An older or younger AVD was made by somebody else.
    const at = createdAt(home, avdName)
    if (at < cut.since - SLACK_MS || at > cut.until + SLACK_MS) return []
    removeAvdFiles(home, avdName)
    return ['half of the AVD was removed']
  }
  // avdmanager removes the folder and the ini one after the other.
  if (cut.phase !== 'deleting' || hasAvdFiles(home, avdName)) return []
  removeAvdFiles(home, avdName)
  return ['the rest of the AVD was removed']
}

const STARTING: readonly EmulatorPhase[] = ['spawning', 'registering', 'booting', 'preparing']

/** In such a phase there is an emulator that may go on, and nothing to clean up. */
export const isStarting = (phase: EmulatorPhase): boolean => STARTING.includes(phase)

interface Repaired {
  /** The emulator that the dead host had started, if it lives. */
  process: EmulatorProcess | null
  done: string
}

export const repairLeftovers = async (
  input: Leftovers,
  cut: InterruptedChange,
  deps: EmulatorDeps,
): Promise<Repaired> => {
  const process = isStarting(cut.phase) ? startedBy(input, deps) : null
  const done = isStarting(cut.phase) ? [] : await endProcesses(input, deps)
  if (process) done.push(`process ${process.pid} of the emulator goes on`)
  done.push(...removeHalves(input, avdHome(deps.env)))
  return { process, done: `interrupted while ${cut.phase}; ${done.join('; ') || 'nothing was left to clean up'}` }
}
