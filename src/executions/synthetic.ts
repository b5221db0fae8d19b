/** Section POST /snapshot and POST /screenshot: the executions of one action that the service builds itself. */
import type { Execution } from '../contracts/execution.ts'
import { SYNTHETIC_TIMEOUT_MS } from '../contracts/limits.ts'
import { EXPECTED_FORMAT, SERVE_SOURCE } from '../contracts/literals.ts'

export const CLI_SOURCE = 'svc-cli'
export const MCP_SOURCE = 'svc-mcp'

/** Labels executions by the part of svc that built them; ids begin with the prefix. */
export const ORIGINS = {
  serve: { source: SERVE_SOURCE, prefix: 'serve' },
  cli: { source: CLI_SOURCE, prefix: 'cli' },
  mcp: { source: MCP_SOURCE, prefix: 'mcp' },
} as const
export type Origin = keyof typeof ORIGINS

export interface SyntheticOptions {
  origin: Origin
  /** Epoch milliseconds. */
  now: number
  timeoutMs?: number
}

/** All but the actions; both ids are `<prefix>-<name>-<epoch_ms>`. */
export const frameOf = (name: string, { origin, now, timeoutMs = SYNTHETIC_TIMEOUT_MS }: SyntheticOptions) => {
  const { source, prefix } = ORIGINS[origin]
  const id = `${prefix}-${name}-${now}`
  return { commandId: id, taskId: id, source, expectedFormat: EXPECTED_FORMAT, timeoutMs } as const
}

export const snapshotExecution = (options: SyntheticOptions): Execution => ({
  ...frameOf('snap', options),
  actions: [{ id: 'snap', type: 'snapshot' }],
})

/** The path is the caller's, still to be judged; without one the host picks a new file. */
export const screenshotExecution = (options: SyntheticOptions & { path?: string | undefined }): Execution => ({
  ...frameOf('shot', options),
  actions: [
    options.path === undefined
      ? { id: 'shot', type: 'take_screenshot' }
      : { id: 'shot', type: 'take_screenshot', params: { path: options.path } },
  ],
})
