/** `svc` on a machine of its own that has no phone and knows a fleet. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { type CliEnded, type RunningCli, startCli } from '../../../support/cli/run-cli.ts'
import type { FleetLab } from '../../../support/fleet/fleet-lab.ts'

export interface Client {
  home: string
  start(args: readonly string[], env?: NodeJS.ProcessEnv): RunningCli
  /** Inside this process. */
  svc(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CliEnded>
  remove(): void
}

/** `id` is what it calls itself: that of a host is asked first. */
export const createClient = ({ nats }: Pick<FleetLab, 'nats'>, id = 'desk'): Client => {
  const home = mkdtempSync(join(tmpdir(), 'svc-desk-'))
  // Was used before: its user is told nothing more.
  mkdirSync(join(home, '.svc'), { mode: 0o700 })
  const own = { HOME: home, SVC_FLEET: nats.urls.join(','), SVC_FLEET_HOST: id }
  const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    startCli(args, { input: '', cwd: home, env: { ...own, ...env } })
  return {
    home,
    start,
    svc: (args, env = {}) => runCliHere(args, { cwd: home, env: { ...own, ...env } }),
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  }
}

export interface Ran {
  envelope: { status: string; stepResults: { id: string; success: boolean; data: Record<string, string> }[] }
  deviceId: string
  host?: string
}

export interface Failed {
  code: string
  message: string
  hint?: string
  details?: Record<string, unknown>
}

export interface Executions {
  executions: { executionId: string; commandId: string; deviceId: string; host: string; state: string }[]
  count: number
}
