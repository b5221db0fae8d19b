/** The network of a process as its services take it: NATS, and their own listener. */
import type { HostClaimOptions } from '../fleet/membership/host-claim.ts'
import type { ConnectNats } from '../fleet/servers/connection.ts'
import type { App } from '../surfaces/http/module.ts'
import type { startServer } from '../surfaces/http/server.ts'

export interface Network extends Pick<HostClaimOptions, 'process' | 'hasEnded'> {
  connectNats: ConnectNats
  startServer: typeof startServer
  /** Hears of the app that answers the other hosts. */
  onInbound(app: App): void
}
