/** Asks the actor `daemon:<key>`: each request is answered by the machine, and recorded. */
import { CATALOGUE } from '../../../machines/catalogue.ts'
import type { DaemonAsk, DaemonEmitted } from '../../../machines/daemon.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { type Asked, createHost } from '../../runtime/host.ts'
import type { Ids } from '../../runtime/ids.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { memoryJournal } from '../../runtime/journal/memory.ts'
import { isAlive, thisProcess } from '../../runtime/processes.ts'
import type { DaemonPaths } from '../paths.ts'
import { probePort } from './find.ts'
import { launchPort } from './launch.ts'
import type { Errand } from './request.ts'
import { terminatePort } from './terminate.ts'

type Answered = Asked<DaemonEmitted>

const EVENTS: Readonly<Record<DaemonAsk, string>> = {
  start: 'start.requested',
  stop: 'stop.requested',
  restart: 'restart.requested',
  status: 'status.requested',
  missed: 'socket.missed',
  refused: 'socket.refused',
  differed: 'identity.differed',
}

/** Over all that the ports may take: a look, the end of one daemon and the start of another. */
const LONGEST_MS = 15_000
/** Under the lifecycle lock, the actor is held only by a process that looks for a moment. */
const HELD_MS = 2_000
const HELD_POLL_MS = 25

export interface LifecycleOptions {
  errand: Errand
  ids: Ids
  journal(): Journal
  note(text: string): void
}

/** One host for one request: its ports know what was asked, and nothing is left of it afterwards. */
const askOnce = async (journal: Journal, { errand, ids }: LifecycleOptions): Promise<Answered> => {
  const { clock, paths, ask } = errand
  const host = createHost({
    journal,
    clock,
    definitions: { daemon: CATALOGUE.daemon },
    ports: { daemon: { probe: probePort(errand), launch: launchPort(errand), terminate: terminatePort(errand) } },
    holder: { ...thisProcess(), instance: ids.instance() },
  })
  const requestId = ids.instance()
  try {
    return await host.ask<DaemonEmitted>(
      { id: `daemon:${paths.key}`, machine: 'daemon', input: { key: paths.key }, note: { ask } },
      { type: EVENTS[ask], requestId },
      { matches: emitted => emitted.requestId === requestId, until: clock.now() + LONGEST_MS },
    )
  } finally {
    await host.stop({ graceMs: 0 })
  }
}

const askUntilFree = async (journal: Journal, options: LifecycleOptions, clock: Clock): Promise<Answered> => {
  const began = clock.elapsed()
  for (;;) {
    const asked = await askOnce(journal, options)
    const isOver = options.errand.ask === 'status' || clock.elapsed() - began >= HELD_MS
    if (asked.kind !== 'held' || isOver) return asked
    await pause(clock, HELD_POLL_MS)
  }
}

/** What the journal said when the request could not be recorded, or not to its end. */
const refusalOf = (asked: Answered): JournalError | undefined => {
  if (asked.kind === 'unrecorded') return asked.error
  return asked.kind === 'broken' && asked.error instanceof JournalError ? asked.error : undefined
}

const askRecorded = async (options: LifecycleOptions): Promise<Answered | JournalError> => {
  try {
    const asked = await askUntilFree(options.journal(), options, options.errand.clock)
    return refusalOf(asked) ?? asked
  } catch (error) {
    if (error instanceof JournalError) return error
    throw error
  }
}

/**
 * Without a journal, and for a mere look while another process is at work, the same machine runs unrecorded: a daemon
 * can be found and ended also when the disk is full. Asking again is safe, because each request looks first.
 */
export const askLifecycle = async (options: LifecycleOptions): Promise<Answered> => {
  const { errand, note } = options
  const asked = await askRecorded(options)
  if (asked instanceof JournalError) note(`not recorded: ${asked.message}`)
  else if (asked.kind !== 'held' || errand.ask !== 'status') return asked
  return askOnce(memoryJournal({ alive: isAlive, clock: errand.clock }), options)
}

/** For a look at a daemon, which never starts anything. */
const NO_PROGRAM = { path: '', args: [], env: {} }

export interface RecordOptions extends Pick<LifecycleOptions, 'ids' | 'journal'> {
  paths: DaemonPaths
  clock: Clock
}

/** Brings the record of a daemon up to date, if that can be done at once; nobody waits for what it says. */
export const recordLook = async ({ paths, clock, ids, journal }: RecordOptions): Promise<void> => {
  const errand: Errand = { ask: 'status', paths, clock, program: NO_PROGRAM, found: undefined }
  try {
    await askOnce(journal(), { errand, ids, journal, note: () => {} })
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
  }
}
