/** A command has these beside the parts of its service; the roots construct each when it is first asked for. */

import type { FleetServeOptions } from '../fleet/deps.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { checkConnected } from '../service/doctor/connected.ts'
import type { DevicesAtOnce } from '../service/doctor/devices-at-once.ts'
import type { TestRuns } from '../service/flows/test-runs.ts'
import type { OperatorRequests } from '../service/operators/operators.ts'
import type { Parts } from '../service/parts.ts'
import type { Service } from '../service/service.ts'
import type { Undo } from '../service/undo-left.ts'
import type { WirelessRequests } from '../service/wireless/wireless.ts'
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

/** About this host and its devices: only its own commands ask. */
export interface HostRequests {
  wireless(): Promise<WirelessRequests>
  operators(): Promise<OperatorRequests>
  /** The debug bridge, the devices, and on each the operator that is named, or that an execution would use. */
  checkConnected(operatorPackage: string | undefined, signal: AbortSignal): ReturnType<typeof checkConnected>
  /** The state and the model of a device that is spoken to directly. */
  directDevice(serial: string, deadline: number): Promise<DevicesAtOnce['devices'][number]>
}

export interface CommandParts extends Parts, Servers, SimulatorServices, HostRequests {
  readonly ids: Ids
  readonly env: Readonly<Record<string, string | undefined>>
  /** `~/.svc`, or SVC_HOME. */
  readonly home: string
  /** Answers requests in this process. */
  service(): Promise<Service>
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
