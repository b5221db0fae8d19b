/** The dependencies of the MCP server; constructed by the services. */

import type { Clock } from '../../runtime/clock.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { TestRuns } from '../../service/flows/test-runs.ts'
import type { Service } from '../../service/service.ts'
import type { Skills } from '../../service/skills/skills.ts'

export interface McpDeps {
  clock: Clock
  journal: Journal
  /** The registry of this machine, for the ranked search. */
  skills: Pick<Skills, 'load'>
  /** Opened by the first flow that is run. */
  testRuns(): Promise<TestRuns>
  /** Answers whatever the tools ask, here or anywhere in the fleet. */
  service: Service
  version: string
  /** The operator that the person who started this server named, if any. */
  operatorPackage: string | undefined
  /** Calls that name no device get this one, the `--device` of `svc mcp`. It never changes while the server runs. */
  deviceId?: string | undefined
  /** The reservation that calls belong to which name none: the `--lease` of `svc mcp`. */
  leaseId?: string | undefined
  /** The skill run whose script started this server: what it does is filed under it. */
  skillRunId?: string | undefined
  /** The folders whose files the tools may name; none when left out. */
  fileRoots?: readonly string[] | undefined
  /** A line for a log; never on stdout. */
  note(text: string): void
}
