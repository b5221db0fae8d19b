/** Asks the actor `daemon:<key>`: each request is answered by the machine, and recorded. */
import { CATALOGUE } from '../../../machines/catalogue.ts'
import type { DaemonAsk, DaemonEmitted } from '../../../machines/daemon-setup.ts'
import type { StoredEvent } from '../../contracts/journal.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { deadlinePort } from '../../runtime/deadline.ts'
import { type AskResult, createHost } from '../../runtime/host.ts'
import type { Ids } from '../../runtime/ids.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { memoryJournal } from '../../runtime/journal/memory.ts'
import type { Port } from '../../runtime/port.ts'
import { mayLive, thisProcess } from '../../runtime/processes.ts'
import type { DaemonPaths } from '../paths.ts'
import type { DaemonEnd } from '../run/options.ts'
import { abandonPort, launchPort } from './launch.ts'
import { probePort, readyPort } from './probe.ts'
import type { RequestState } from './request.ts'
import { terminatePort } from './terminate.ts'

type Answered = AskResult<DaemonEmitted>

const EVENTS: Readonly<Record<DaemonAsk, string>> = {
  start: 'start.requested',
  stop: 'stop.requested',
  restart: 'restart.requested',
  status: 'status.requested',
  missed: 'socket.missed',
  refused: 'socket.refused',
  differed: 'identity.differed',
}

const ENDS: Readonly<Record<DaemonEnd, string>> = {
  'told to end': 'daemon.terminated',
  idle: 'daemon.idled',
  retired: 'daemon.retired',
  'socket gone': 'daemon.unlinked',
  'device not found': 'daemon.unserved',
}

/** Over all that the ports may take: a look, the end of one daemon and the start of another. */
const LONGEST_MS = 15_000
/** Under the lifecycle lock, the actor is held only by a process that looks for a moment. */
const HELD_MS = 2_000
const HELD_POLL_MS = 25

export interface LifecycleOptions {
  state: RequestState
  ids: Ids
  journal(): Journal
  note(text: string): void
}

const portsOf = (state: RequestState): Readonly<Record<string, Port>> => ({
  probe: probePort(state),
  launch: launchPort(state) as Port,
  ready: readyPort(state),
  abandon: abandonPort(state),
  terminate: terminatePort(state) as Port,
  deadline: deadlinePort(state.clock) as Port,
})

/** One host for one request: its ports know what was asked, and nothing is left of it afterwards. */
const tellOnce = async (
  journal: Journal,
  { state, ids }: Pick<LifecycleOptions, 'state' | 'ids'>,
  event: StoredEvent,
): Promise<Answered> => {
  const { clock, paths, ask } = state
  const host = createHost({
    journal,
    clock,
    definitions: { daemon: CATALOGUE.daemon },
    ports: { daemon: portsOf(state) },
    holder: { ...thisProcess(), instance: ids.instance() },
  })
  const requestId = ids.instance()
  try {
    return await host.ask<DaemonEmitted>(
      { id: `daemon:${paths.key}`, machine: 'daemon', input: { key: paths.key }, note: { ask } },
      { ...event, requestId },
      { matches: emitted => emitted.requestId === requestId, until: clock.now() + LONGEST_MS },
    )
  } finally {
    await host.stop({ graceMs: 0 })
  }
}

const askOnce = (journal: Journal, options: LifecycleOptions): Promise<Answered> =>
  tellOnce(journal, options, { type: EVENTS[options.state.ask] })

const askUntilFree = async (journal: Journal, options: LifecycleOptions, clock: Clock): Promise<Answered> => {
  const began = clock.elapsed()
  for (;;) {
    const asked = await askOnce(journal, options)
    const isOver = options.state.ask === 'status' || clock.elapsed() - began >= HELD_MS
    if (asked.kind !== 'held' || isOver) return asked
    await pause(clock, HELD_POLL_MS)
  }
}

/** The journal's error, if the request could not be recorded, or not to its end. */
const refusalOf = (asked: Answered): JournalError | undefined => {
  if (asked.kind === 'unrecorded') return asked.error
  return asked.kind === 'broken' && asked.error instanceof JournalError ? asked.error : undefined
}

const askRecorded = async (options: LifecycleOptions): Promise<Answered | JournalError> => {
  try {
    const asked = await askUntilFree(options.journal(), options, options.state.clock)
    return refusalOf(asked) ?? asked
  } catch (error) {
    if (error instanceof JournalError) return error
    throw error
  }
}

/**
 * If the journal fails, or another process works while this one only looks, the same machine runs unrecorded: a daemon
 * can be found and ended also when the disk is full. Asking again is safe, because each request looks first.
 */
export const askLifecycle = async (options: LifecycleOptions): Promise<Answered> => {
  const { state, note } = options
  const asked = await askRecorded(options)
  if (asked instanceof JournalError) note(`not recorded: ${asked.message}`)
  else if (asked.kind !== 'held' || state.ask !== 'status') return asked
  return askOnce(memoryJournal({ alive: mayLive, clock: state.clock }), options)
}

/** A look at a daemon never starts anything. */
const NO_PROGRAM = { path: '', args: [], env: {} }

export interface RecordOptions extends Pick<LifecycleOptions, 'ids' | 'journal'> {
  paths: DaemonPaths
  clock: Clock
}

/** Records what happens to a daemon, if that can be done at once; nobody waits for what the machine says. */
const record = async ({ paths, clock, ids, journal }: RecordOptions, event: StoredEvent): Promise<void> => {
  const state: RequestState = { ask: 'status', paths, clock, program: NO_PROGRAM }
  try {
    await tellOnce(journal(), { state, ids }, event)
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
  }
}

/** Brings the record of a daemon up to date. */
export const recordStatus = (options: RecordOptions): Promise<void> => record(options, { type: EVENTS.status })

/** By the daemon itself, as the last thing that it does. */
export const recordEnd = (options: RecordOptions, end: DaemonEnd): Promise<void> =>
  record(options, { type: ENDS[end], pid: process.pid })
