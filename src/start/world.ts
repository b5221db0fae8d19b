/** All that services take from outside of them but the devices: time, chance, other processes and the journal. */

import type { DraftOwners } from '../device/files/host-drafts.ts'
import type { HostClaimOptions } from '../fleet/membership/host-claim.ts'
import type { ConnectNats } from '../fleet/servers/connection.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { type Ids, systemIds } from '../runtime/ids.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { memoryJournal } from '../runtime/journal/memory.ts'
import { type JournalOptions, openJournal } from '../runtime/journal/sqlite.ts'
import type { Liveness } from '../runtime/ownership/ownership.ts'
import { bootId, mayLive, type ProcessIdentity, thisProcess } from '../runtime/processes/processes.ts'
import type { FlowScripts } from '../service/flows/script/scripts.ts'
import type { ChildSystem } from '../service/skills/run/child-system.ts'
import type { App } from '../surfaces/http/module.ts'
import type { startServer } from '../surfaces/http/server.ts'

/** The network of a process as its services take it: NATS, and their own listener. */
export interface Network extends Pick<HostClaimOptions, 'process' | 'hasEnded'> {
  connectNats: ConnectNats
  startServer: typeof startServer
  /** Hears of the app that answers the other hosts. */
  onInbound(app: App): void
}

/** Without a path, nothing outlives the process. */
export type JournalPlace = Pick<JournalOptions, 'hasUpkeep' | 'readOnly' | 'troubles'> & { path: string | undefined }

export interface World {
  clock: Clock
  ids: Ids
  /** Between 0 and 1, for what no one may foresee and no law depends on. */
  random(): number
  self(): ProcessIdentity
  /** Names this run of the machine, where the system does: what was not on the disk before it is lost. */
  bootId(): string | undefined
  mayLive: Liveness
  /** The system in which skills run; the real one unless told. */
  children?: ChildSystem
  /** The processes that have drafts on this machine; the real ones unless told. */
  draftOwners?: DraftOwners
  /** The network of a server in a fleet; the real one unless told. */
  network?: Network
  /** The scripts of a flow run; those of a process of their own unless told. */
  flowScripts?: (flowRunId: string) => FlowScripts
  /** Throws JournalError. */
  openJournal(place: JournalPlace): Journal
}

export const systemWorld = (): World => {
  const clock = systemClock()
  return {
    clock,
    ids: systemIds(),
    random: Math.random,
    self: thisProcess,
    bootId,
    mayLive,
    openJournal: ({ path, ...how }) => {
      const parts = { ...how, alive: mayLive, clock }
      return path === undefined ? memoryJournal(parts) : openJournal({ ...parts, path })
    },
  }
}
