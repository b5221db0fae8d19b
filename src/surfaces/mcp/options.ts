/** The options of an MCP server, and the parts of this process that it asks. */

import type { Parts } from '../../service/parts.ts'
import type { Service } from '../../service/service.ts'

export interface McpOptions {
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
}

/** The registry is that of this machine; a line of `note` is never on stdout. */
export interface McpContext extends McpOptions, Pick<Parts, 'clock' | 'journal' | 'skills' | 'testRuns' | 'note'> {
  /** Answers whatever the tools ask, here or anywhere in the fleet. */
  service: Service
}
