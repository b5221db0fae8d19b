/** The execution that measures how an application starts. */
import { EXECUTION_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'
import { type Draft, flatExecution } from './flat-actions.ts'

/** A start that never draws takes the device ten seconds to tell. */
const RUN_MS = 12_000
const AROUND_MS = 20_000

export const startupAction = (params: { applicationId: string; runs: number; stopFirst: boolean }): Draft => ({
  type: 'measure_startup',
  params,
})

interface StartupOptions {
  now: number
  timeoutMs: number | undefined
  runs: number
}

export const startupExecution = (action: Draft, { now, timeoutMs, runs }: StartupOptions) => {
  const enough = Math.min(AROUND_MS + runs * RUN_MS, EXECUTION_TIMEOUT_MS.max)
  return flatExecution('perf-startup', { ...action, timeoutMs: timeoutMs ?? enough }, { origin: 'cli', now })
}
