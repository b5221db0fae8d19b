/** What a host of a fleet is made of, handed to its parts. */
import type { Link } from '../adb/link.ts'
import type { DeviceRecord } from '../contracts/device.ts'
import type { Labels } from '../contracts/fleet.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { FleetAddress, FleetConnection } from './connection.ts'
import type { Directory } from './directory.ts'
import type { Stores } from './stores.ts'

/** What `svc serve` was told of the fleet it is to join. */
export interface FleetServeOptions {
  address: FleetAddress
  labels: Labels
  /** `--fleet-unsafe` */
  allowsUnsafe: boolean
}

export interface FleetMemberOptions {
  address: FleetAddress
  /** Random for this process. */
  instance: string
  version: string
  labels: Labels
  clock: Clock
  host(): Host
  journal(): Journal
  list(options: { deadline: number }): Promise<DeviceRecord[]>
  open(serial: string, options: { deadline: number }): Promise<Link>
  keyOf(link: Link, options: { deadline: number }): Promise<string>
  /** A line for a person. */
  note(text: string): void
}

/** What a member does beside owning phones. */
export interface FleetWork {
  /** Judges the servers; each sentence is a reason not to use them. */
  judge(connection: FleetConnection, signal: AbortSignal): Promise<string[]>
  /** Begins once, with the first claim; ended by the answer. */
  start(parts: { connection: FleetConnection; stores: Stores; directory: Directory }): Promise<() => Promise<void>>
  /** How many requests of the fleet are in the making here. */
  inFlight(): number
  /** How far the mirror is: its newest record and that of the journal. */
  lag(): { head: number; mirrored: number }
}
