/** The fleet as routes and commands use it. */
import type { FleetHostStatus, FleetStatus } from '../contracts/fleet.ts'
import type { Receipt } from '../contracts/receipt.ts'
import type { Exchanged, Progress } from './exchange/request.ts'
import type { FleetRow, Placed } from './placement.ts'
import type { Sending } from './sending.ts'

export type { Exchanged } from './exchange/request.ts'
export { type FleetRow, idOf, type Placed } from './placement.ts'

export interface ForwardRequest {
  method: string
  /** With its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  withinMs: number
  /** The id of the execution that the request may start. */
  executionId?: string | undefined
  /** Cancels the request, and with it the execution that it makes. */
  signal?: AbortSignal | undefined
  onProgress?(progress: Progress): void
}

/** Nothing was sent, for this host has no server to send it through. */
export type Forwarded = Exchanged | { kind: 'unreachable' }

/** The device with which an Idempotency-Key was used first. */
export interface KeyHolder {
  host: string
  serial: string
  /** The execution that the first request was sent as, if the asked host chose its id. */
  executionId?: string
}

export interface HeldKey extends KeyHolder {
  /** Nobody had used it before. */
  isNew: boolean
  /** For a request whose execution was refused: frees the key unless it is in use by another request. */
  free(): Promise<void>
}

export interface FleetFront {
  readonly host: string
  /** True when a NATS server is reachable and this host knows its own devices and those of the others. */
  isUp(): boolean
  /** True while requests of other hosts are accepted. */
  isServing(): boolean
  /** Each phone once, of the hosts that are alive. */
  devices(): FleetRow[]
  place(deviceId: string | undefined): Placed
  /** True while something runs on a device of this host. */
  isBusy(serial: string): boolean
  readonly sending: Sending
  knows(host: string): boolean
  /** Heard lately. */
  isAlive(host: string): boolean
  /** The ids of the other hosts that are alive. */
  others(): string[]
  /** The ids of the other hosts that are listed and were not heard lately. */
  silent(): string[]
  forward(host: string, request: ForwardRequest): Promise<Forwarded>
  /** The host that was sent this execution and has not answered yet. */
  sentTo(executionId: string): string | undefined
  /** The newest receipt that was mirrored, for when its host cannot be asked. */
  mirrored(executionId: string): Promise<Receipt | undefined>
  /** Whoever was first has the key for 24 hours. Rejects while the servers do not decide. */
  holdKey(key: string, holder: KeyHolder): Promise<HeldKey>
  /** Reads which device holds the key; undefined proves nothing. */
  keyUse(key: string): Promise<KeyHolder | undefined>
  newExecutionId(): string
  status(): FleetStatus
  statusOf(host: string): FleetHostStatus | undefined
  drain(): Promise<void>
  /** Removes what is kept of a host that is gone. */
  forget(host: string): Promise<void>
}
