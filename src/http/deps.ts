/** The dependencies of the HTTP app; constructed by the services. */
import type { BuildIdentity } from '../contracts/daemon.ts'
import type { DeviceRecord } from '../contracts/device.ts'
import type { Emulators } from '../emulators/emulators.ts'
import type { Executions } from '../executions/service.ts'
import type { FleetFront } from '../fleet/front.ts'
import type { SharedLog } from '../fleet/shared-log.ts'
import type { ScreenshotPolicy } from '../operator/job.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { Troubles } from '../runtime/troubles.ts'
import type { Skills } from '../skills/skills.ts'

export interface HttpDeps {
  clock: Clock
  journal: Journal
  executions: Executions
  skills: Skills
  emulators: Emulators
  /** Rejects with LinkError when devices cannot be listed. */
  listDevices(signal: AbortSignal): Promise<DeviceRecord[]>
  version: string
  buildIdentity: BuildIdentity
  /** From SVC_OPERATOR_PACKAGE when non-blank. Undefined when nobody named one: then the device decides. */
  operatorPackage: string | undefined
  /** Decides the folder of screenshots for callers of this listener. */
  screenshots: ScreenshotPolicy
  /** Names the stream of outcomes of this listener in the journal, the same after a restart: `serve:127.0.0.1:3000`. */
  listener: string
  /** Only processes of this user reach it, as a daemon: they say by which way they were asked. */
  isPrivate: boolean
  /** The fleet this host is in, if it is in one. */
  fleet?: FleetFront | undefined
  /** Tells the home of this process from others; undefined where that cannot be told. */
  homeIdentity?: string | undefined
  /** The folder of the viewer's built page; undefined when there is none. */
  viewerFolder: string | undefined
  /** The same of the page of GET /docs. */
  docsFolder: string | undefined
  /** True when this listener serves GET /inspect-ws. */
  inspectWs?: boolean | undefined
  /** The log of that fleet. */
  fleetLog?: SharedLog | undefined
  /** Lists failures of this process that no answer shows. */
  troubles?: Pick<Troubles, 'list'>
  /** A line for a person or a log. */
  note(text: string): void
}
