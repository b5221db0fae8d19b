/** The network of a process as its services take it: NATS, their own listeners, and the way to the private one. */
import type { request } from 'node:http'
import type { HostClaimOptions } from '../fleet/membership/host-claim.ts'
import type { ConnectNats } from '../fleet/servers/connection.ts'
import type { startServer, startSocketServer } from '../surfaces/http/server.ts'

export interface Network extends Pick<HostClaimOptions, 'process' | 'hasEnded'> {
  connectNats: ConnectNats
  startServer: typeof startServer
  startSocketServer: typeof startSocketServer
  /** Reaches what `startSocketServer` listens on. */
  request: typeof request
  /** A folder that only this user can open. */
  makeFolder(): string
}
