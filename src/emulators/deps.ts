/** The dependencies of the emulator driver; constructed by the services. */
import type { Link } from '../adb/link.ts'
import type { Links } from '../adb/links.ts'
import type { EmulatorLimits } from '../contracts/events/emulator.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { Environment } from './sdk.ts'

export interface EmulatorDeps {
  links: () => Links
  env: Environment
  /** The CPU of this host, as Node names it. */
  arch: string
  clock: Clock
  /** `~/.svc/emulators`, where the logs of emulators go. */
  folder: string
  /** Does something to a device as its owner; false when somebody else has it. Rejects with LinkError or JournalError. */
  owned(link: Link, work: () => Promise<void>): Promise<boolean>
}

export interface EmulatorServiceDeps extends EmulatorDeps {
  host: Host
  journal: Pick<Journal, 'last' | 'records' | 'checkpoint' | 'leases' | 'actors'>
  ids: Ids
  limits: EmulatorLimits
}
