/** What the commands need of the rest of the house; constructed by the services. */
import type { Links } from '../adb/links.ts'
import type { DeviceRecord } from '../contracts/device.ts'
import type { Executed, ExecuteRequest } from '../executions/execute.ts'
import type { Executions } from '../executions/service.ts'
import type { ServeOptions, ServeSocketOptions } from '../http/serve-options.ts'
import type { RunningServer, SocketServer, Started } from '../http/server.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { NotAttached } from '../simulator/attach.ts'
import type { Fleet, FleetOptions } from '../simulator/fleet.ts'

export interface CliDeps {
  readonly clock: Clock
  readonly ids: Ids
  /** `~/.svc`, or SVC_HOME. */
  readonly home: string
  links(): Links
  journal(): Journal
  /** Settles what dead hosts left behind before it is handed out. */
  host(): Pick<Host, 'onEmitted' | 'inFlight' | 'stop'>
  executions(): Pick<Executions, 'receipt' | 'receipts' | 'cancel'>
  /** Screenshots with a relative path go to the caller's directory. */
  execute(request: Omit<ExecuteRequest, 'screenshots'>): Promise<Executed>
  /** Every device in every state; rejects with LinkError. */
  listDevices(signal: AbortSignal): Promise<DeviceRecord[]>
  simulate(options: Omit<FleetOptions, 'clock'>): Promise<Fleet>
  attach(fleet: Fleet, signal: AbortSignal): Promise<NotAttached[]>
  detach(fleet: Fleet): Promise<void>
  /** Listens on TCP; its server is closed before the services are. */
  serve(options: ServeOptions): Promise<Started<RunningServer>>
  /** The same on a Unix socket, for a daemon. */
  serveSocket(options: ServeSocketOptions): Promise<Started<SocketServer>>
  /** Takes no more of them, waits a little for those in flight, and records the rest as interrupted. */
  endExecutions(): Promise<void>
  /** Ends them, and everything else. */
  close(): Promise<void>
}
