/** A command has these beside the parts of its service; the roots construct each when it is first asked for. */

import type { Links } from '../device/link/links.ts'
import type { OperatorChanges, OperatorChoice } from '../device/operators/choose-operator.ts'
import type { FleetServeOptions } from '../fleet/deps.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { TestRuns } from '../service/flows/test-runs.ts'
import type { Parts } from '../service/parts.ts'
import type { Service } from '../service/service.ts'
import type { Undo } from '../service/undo-left.ts'
import type { SimulatorServices } from '../simulator/services.ts'
import type { RunningServer, ServeOptions, ServeSocketOptions, SocketServer, Started } from './http/server.ts'
import type { McpOptions } from './mcp/options.ts'
import type { StdioOptions } from './mcp/stdio/serve.ts'
import type { WebDriver } from './webdriver/server.ts'

export interface Servers {
  /** Listens on TCP; close the server before the services. */
  serve(options: ServeOptions & { fleet?: FleetServeOptions | undefined }): Promise<Started<RunningServer>>
  /** The same on a Unix socket, for a daemon. */
  serveSocket(options: ServeSocketOptions): Promise<Started<SocketServer>>
  /** Speaks MCP on the given streams until the client has gone or the signal comes. */
  serveMcp(options: StdioOptions & McpOptions & { service?: Service }): Promise<void>
}

export interface CommandParts extends Parts, Servers, SimulatorServices {
  readonly ids: Ids
  readonly env: Readonly<Record<string, string | undefined>>
  /** `~/.svc`, or SVC_HOME. */
  readonly home: string
  links(): Links
  /** Answers requests in this process. */
  service(): Promise<Service>
  operatorChoice(): OperatorChoice
  operatorChanges(): OperatorChanges
  /** Opens the journal for reading, with no claim on the file; one that does not exist yet is created. */
  journalToRead(): Journal
  host(): Host
  /** Adds these devices, spoken to without the adb server; asked before any device is. */
  alsoUse(serials: readonly string[]): void
  undo(): Undo
  /** Runs of flows; over this service of a fleet, where one is given. */
  testRuns(over?: Service): Promise<TestRuns>
  /** Answers requests of WebDriver in this process. */
  webDriver(): Promise<WebDriver>
  /** Takes no more of them, lets those in flight finish for a while, records the rest as interrupted: then all are answered. */
  endExecutions(): Promise<void>
  close(): Promise<void>
}
