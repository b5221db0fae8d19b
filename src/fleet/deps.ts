/** The parts of a fleet member, and the interfaces between them. */

import type { DeviceRecord } from '../contracts/device/device.ts'
import type { ErrorObject } from '../contracts/failures/error.ts'
import type { FleetHostRecord, Labels } from '../contracts/fleet.ts'
import type { Link } from '../device/link/link.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { Fence } from '../service/executions/fence.ts'
import type { Directory } from './directory.ts'
import type { HostClaimOptions } from './membership/host-claim.ts'
import type { membershipPorts } from './membership/membership-ports.ts'
import type { Roster } from './membership/roster.ts'
import type { FenceOptions } from './ownership/fence.ts'
import type { ownershipPorts } from './ownership/ownership-ports.ts'
import type { ConnectNats, FleetAddress, FleetConnection } from './servers/connection.ts'
import type { Stores } from './servers/stores.ts'

/** The fleet options of `svc serve`. */
export interface FleetServeOptions {
  address: FleetAddress
  labels: Labels
  /** `--fleet-unsafe` */
  allowsUnsafe: boolean
}

export interface FleetMemberOptions extends Pick<HostClaimOptions, 'process' | 'hasEnded'> {
  address: FleetAddress
  /** Random for this process. */
  instance: string
  version: string
  labels: Labels
  clock: Clock
  /** The client of NATS unless told. */
  connectNats?: ConnectNats | undefined
  host(): Host
  journal(): Journal
  list(options: { deadline: number }): Promise<DeviceRecord[]>
  open(serial: string, options: { deadline: number }): Promise<Link>
  keyOf(link: Link, options: { deadline: number }): Promise<string>
  /** A line for a person. */
  note(text: string): void
}

/** The work of a member besides owning phones. */
export interface FleetWork {
  /** Judges the servers; each sentence is a reason not to use them. */
  judge(connection: FleetConnection, signal: AbortSignal): Promise<string[]>
  /** Begins once, with the first claim; ended by the answer. */
  start(parts: { connection: FleetConnection; stores: Stores; directory: Directory }): Promise<() => Promise<void>>
  /** The way to ask another host about a phone that it owns. */
  askOwner: FenceOptions['askOwner']
  /** How many requests of the fleet are in the making here. */
  inFlight(): number
  /** How far the mirror is: its newest record and that of the journal. */
  lag(): { head: number; mirrored: number }
  /** The newest message of the log that this process has written or read; 0 for none. */
  logHead(): number
}

export interface FleetMember {
  ports: {
    membership: ReturnType<typeof membershipPorts>
    ownership: ReturnType<typeof ownershipPorts>
  }
  fence: Fence
  /** Resolves once it is a member or the servers do not answer yet; an error when it may not be one. */
  join(allowsUnsafe: boolean): Promise<ErrorObject | undefined>
  /** Begins to give everything back; `close` waits for it. */
  leave(): Promise<void>
  drain(): Promise<void>
  close(): Promise<void>
  readonly host: string
  readonly instance: string
  /** Aborted when it leaves the fleet. */
  readonly ended: AbortSignal
  /** Undefined until the servers were reached. */
  connection(): FleetConnection | undefined
  stores(): Stores | undefined
  directory(): Directory | undefined
  /** `joining`, `serving`, `draining`, ... as the chart has it. */
  state(): string
  /** True while requests of the fleet are accepted. */
  isServing(): boolean
  /** Since when nobody else acts on a phone for the fleet; undefined for one that this host does not own. */
  heldSince(phone: string): number | undefined
  /** The serial of a phone that this host owns. */
  ownedSerial(phone: string): string | undefined
  /** True once it has listed the devices connected here and read the records of the other hosts. */
  knowsDevices(): boolean
  /** The devices of all hosts, up to date when it is asked for. */
  roster(): Roster
  /** The record that this host publishes. */
  record(): FleetHostRecord
}
