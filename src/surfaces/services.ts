/** The services of a process, for its command: constructed by the roots, each part when it is first asked for. */

import type { DeviceRecord } from '../contracts/device/device.ts'
import type { Forwards } from '../device/link/forwards/forwards.ts'
import type { Links } from '../device/link/links.ts'
import type { OperatorChanges, OperatorChoice } from '../device/operators/choose-operator.ts'
import type { FleetServeOptions } from '../fleet/deps.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { Emulators } from '../service/emulators/emulators.ts'
import type { ScreenshotPolicy } from '../service/executions/dispatch.ts'
import type { Executions, Receipts } from '../service/executions/service.ts'
import type { TestRuns } from '../service/flows/test-runs.ts'
import type { Recordings } from '../service/recordings/recordings.ts'
import type { Reservations } from '../service/reservations/reservations.ts'
import type { Service } from '../service/service.ts'
import type { Skills } from '../service/skills/skills.ts'
import type { SimulatorServices } from '../simulator/services.ts'
import type { RunningServer, ServeOptions, ServeSocketOptions, SocketServer, Started } from './http/server.ts'
import type { McpDeps } from './mcp/deps.ts'
import type { StdioOptions } from './mcp/stdio/serve.ts'
import type { WebDriver } from './webdriver/server.ts'

export interface Servers {
  /** Listens on TCP; close the server before the services. */
  serve(options: ServeOptions & { fleet?: FleetServeOptions | undefined }): Promise<Started<RunningServer>>
  /** The same on a Unix socket, for a daemon. */
  serveSocket(options: ServeSocketOptions): Promise<Started<SocketServer>>
  /** Speaks MCP on the given streams until the client has gone or the signal comes. */
  serveMcp(
    options: StdioOptions &
      Pick<McpDeps, 'version' | 'operatorPackage' | 'deviceId' | 'leaseId' | 'skillRunId' | 'fileRoots'> &
      Partial<Pick<McpDeps, 'service'>>,
  ): Promise<void>
}

export interface Parts extends Servers, SimulatorServices {
  readonly clock: Clock
  readonly ids: Ids
  readonly env: Readonly<Record<string, string | undefined>>
  /** `~/.svc`, or SVC_HOME. */
  readonly home: string
  links(): Links
  /** Answers requests in this process. */
  service(): Promise<Service>
  operatorChoice(): OperatorChoice
  operatorChanges(): OperatorChanges
  journal(): Journal
  /** Opens the journal for reading, with no claim on the file; one that does not exist yet is created. */
  journalToRead(): Journal
  host(): Host
  executions(): Executions
  /** Reads receipts where nothing can be written too: on a full disk, in a directory that is read-only. */
  receipts(): Promise<Receipts>
  skills(): Skills
  emulators(): Emulators
  forwards(): Forwards
  recordings(): Recordings
  reservations(): Reservations
  /** Adds these devices, spoken to without the adb server; asked before any device is. */
  alsoUse(serials: readonly string[]): void
  /** Runs of flows; over this service of a fleet, where one is given. */
  testRuns(over?: Service): Promise<TestRuns>
  /** Answers requests of WebDriver in this process. */
  webDriver(): Promise<WebDriver>
  /** Screenshots of callers in `cwd` go here. */
  readonly screenshots: ScreenshotPolicy
  /** Every device in every state; rejects with LinkError ADB_NOT_FOUND or ADB_SERVER_FAILED. */
  listDevices(signal: AbortSignal): Promise<DeviceRecord[]>
  /** Takes no more of them, lets those in flight finish for a while, records the rest as interrupted: then all are answered. */
  endExecutions(): Promise<void>
  close(): Promise<void>
}
