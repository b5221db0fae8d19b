/** What a host of a fleet is made of, handed to its parts. */
import type { Link } from '../adb/link.ts'
import type { DeviceRecord } from '../contracts/device.ts'
import type { Labels } from '../contracts/fleet.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { FleetAddress } from './connection.ts'

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
