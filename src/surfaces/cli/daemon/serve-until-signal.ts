/** A server in this process: listening, and ending with every caller answered once a signal has come. */
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { SHUTDOWN_GRACE_MS } from '../../../contracts/limits/limits.ts'
import type { FleetServeOptions } from '../../../fleet/deps.ts'
import type { CommandContext } from '../command.ts'

/** Leaves time for the answers that are given when the grace is over. */
const LAST_ANSWERS_MS = 500

export interface Listen {
  host: string
  port: number
  allowOrigins: readonly string[]
  inspectWs?: boolean
  fileRoots?: readonly string[]
  fleet?: FleetServeOptions | undefined
  webDriver?: 'beside' | 'alone' | undefined
}

export type Serving =
  | { ok: false; error: ErrorObject }
  /** `end` waits for the signal first. */
  | { ok: true; url: string; end(): Promise<void> }

export const serveUntilSignal = async (
  call: CommandContext,
  { inspectWs = false, ...listen }: Listen,
): Promise<Serving> => {
  const { signal } = call
  const services = await call.services()
  const started = await services.serve({ ...listen, inspectWs, version: __SVC_VERSION__, entryPath: process.argv[1] })
  if (!started.ok) return started
  const { server } = started
  return {
    ok: true,
    url: server.url,
    async end() {
      if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
      // Requests that wait for an execution get its result before the connection ends.
      const closed = server.close({ graceMs: SHUTDOWN_GRACE_MS + LAST_ANSWERS_MS })
      await services.endExecutions()
      await closed
    },
  }
}
