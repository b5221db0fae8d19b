/** The contents of the overview, sorted out of the live actors and the newest executions: who works, who waits, what is in doubt. */
import type { ExecutionSummary, ViewedActor } from '../../contracts/doors/viewer.ts'
import { DEVICE_PREFIX, isBusy, standingOf, toneOf } from './names.ts'

/** The executions that the overview looks at. */
export const LATEST = 100
const FAILURES_SHOWN = 8

export interface Overview {
  devices: readonly ViewedActor[]
  /** Devices, skill runs, emulators and provisions at work; the longest first. */
  atWork: readonly ViewedActor[]
  waiting: readonly ExecutionSummary[]
  doubts: readonly ExecutionSummary[]
  failures: readonly ExecutionSummary[]
  failedCount: number
  /** How many executions the overview has looked at. */
  latestCount: number
  runs: readonly ViewedActor[]
  emulators: readonly ViewedActor[]
  lastOf: ReadonlyMap<string, ExecutionSummary>
}

const WORKERS = new Set(['device', 'skill-run', 'emulator', 'provision', 'recording', 'session'])

const newestFirst = (a: ExecutionSummary, b: ExecutionSummary) => b.acceptedAt - a.acceptedAt

const oncePerId = (executions: readonly ExecutionSummary[]): ExecutionSummary[] => [
  ...new Map(executions.map(execution => [execution.executionId, execution])).values(),
]

/** A doubt ends when somebody has gone on with the execution. */
const doubtsAmong = (executions: readonly ExecutionSummary[]): ExecutionSummary[] => {
  const resumed = new Set(executions.map(({ resumes }) => resumes))
  return executions.filter(({ inDoubt, executionId }) => inDoubt && !resumed.has(executionId))
}

export const waitingFor = (executions: readonly ExecutionSummary[], serial?: string): ExecutionSummary[] =>
  executions
    .filter(({ state, deviceId }) => state === 'waiting' && (serial === undefined || deviceId === serial))
    .sort((a, b) => a.acceptedAt - b.acceptedAt)

export const overviewOf = (
  actors: ReadonlyMap<string, ViewedActor>,
  latest: readonly ExecutionSummary[],
  interrupted: readonly ExecutionSummary[],
): Overview => {
  const all = [...actors.values()]
  const known = oncePerId([...latest, ...interrupted]).sort(newestFirst)
  const failed = latest.filter(execution => standingOf(execution).tone === 'bad')
  const lastOf = new Map<string, ExecutionSummary>()
  for (const execution of known) {
    if (execution.state !== 'waiting' && !lastOf.has(execution.deviceId)) lastOf.set(execution.deviceId, execution)
  }
  const byName = (a: ViewedActor, b: ViewedActor) => (a.id < b.id ? -1 : 1)
  return {
    devices: all
      .filter(({ machine }) => machine === 'device')
      .sort((a, b) => Number(isBusy(b)) - Number(isBusy(a)) || byName(a, b)),
    atWork: all.filter(actor => WORKERS.has(actor.machine) && isBusy(actor)).sort((a, b) => a.since - b.since),
    waiting: waitingFor(known),
    doubts: doubtsAmong(known),
    failures: failed.slice(0, FAILURES_SHOWN),
    failedCount: failed.length,
    latestCount: latest.length,
    runs: all.filter(({ machine }) => machine === 'skill-run').sort((a, b) => -byName(a, b)),
    emulators: all
      .filter(
        ({ machine, state }) => machine === 'emulator' && (state === 'resting.running' || toneOf(state) === 'bad'),
      )
      .sort(byName),
    lastOf,
  }
}

export const serialOf = ({ id }: ViewedActor): string => id.slice(DEVICE_PREFIX.length)

export const noFailures = (count: number): string => {
  if (count === 0) return 'Nothing has run yet.'
  if (count === 1) return 'The only execution did not fail.'
  return count < LATEST ? `None of ${count} executions failed.` : `None of the latest ${LATEST} executions failed.`
}
