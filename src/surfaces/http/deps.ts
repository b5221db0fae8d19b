/** The dependencies of the HTTP app; constructed by the services. */
import type { Fleet } from '../../fleet/fleet.ts'
import type { SharedLog } from '../../fleet/log/shared-log.ts'
import type { LocalDeps } from '../../service/local/deps.ts'
import type { Service } from '../../service/service.ts'
import type { WebDriver } from '../webdriver/server.ts'

/** Opened by a server when it begins. */
export type Opened = 'journal' | 'executions' | 'skills' | 'emulators' | 'recordings'

/** A server has opened some of the parts that a command opens when it needs them. */
export interface HttpDeps
  extends Omit<LocalDeps, 'host' | 'onRefused' | 'receipts' | Opened>,
    Readonly<{ [Part in Opened]: ReturnType<LocalDeps[Part]> }> {
  /** Names the stream of outcomes of this listener in the journal, the same after a restart: `serve:127.0.0.1:3000`. */
  listener: string
  /** Only processes of this user and hosts of the fleet reach it: they say by which way they were asked. */
  isPrivate: boolean
  /** The fleet this host is in, if it is in one. */
  fleet?: Fleet | undefined
  /** The log of that fleet. */
  fleetLog?: SharedLog | undefined
  /** The folder of the built pages of GET /docs; undefined when there is none. */
  docsFolder: string | undefined
  /** The folders whose files agents, and callers from other machines, may name. */
  fileRoots?: readonly string[] | undefined
  /** Answers WebDriver on this listener; undefined where nobody asked for it. */
  webDriver?: (() => Promise<WebDriver>) | undefined
  /** Takes the service of this listener for the commands of sessions, so that GET /events has their executions. */
  useSessionService?: ((service: Service) => void) | undefined
  /** True when this listener serves GET /inspect-ws. */
  inspectWs?: boolean | undefined
}
