/** Asks the actor `daemon:<key>`: each request is answered by the machine, and recorded. */
import { CATALOGUE } from '../../../../machines/catalogue.ts'
import type { DaemonAsk, DaemonEmitted } from '../../../../machines/daemon/daemon-setup.ts'
import type { StoredEvent } from '../../../contracts/records/journal.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { tryLock } from '../../../runtime/files/lock-file.ts'
import { type AskResult, createHost } from '../../../runtime/host.ts'
import type { Ids } from '../../../runtime/ids.ts'
import { JournalError } from '../../../runtime/journal/fault.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { memoryJournal } from '../../../runtime/journal/memory.ts'
import { mayLive, thisProcess } from '../../../runtime/processes/processes.ts'
import type { DaemonPaths } from '../paths.ts'
import type { DaemonEnd } from '../run/end.ts'
import { daemonPorts, type RequestState } from './ports.ts'

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
  // Nobody is left to use it.
  'owner gone': 'daemon.idled',
  'device not found': 'daemon.unserved',
}

/** Over all that the ports may take: a look, the end of one daemon and the start of another. */
const LONGEST_MS = 15_000

export interface LifecycleOptions {
  state: RequestState
  ids: Ids
  journal(): Journal
  note(text: string): void
}

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
    ports: { daemon: daemonPorts(state) },
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

/** The journal's error, if the request could not be recorded, or not to its end. */
const refusalOf = (answer: Answered): JournalError | undefined => {
  if (answer.kind === 'unrecorded') return answer.error
  return answer.kind === 'broken' && answer.error instanceof JournalError ? answer.error : undefined
}

const askRecorded = async (options: LifecycleOptions): Promise<Answered | JournalError> => {
  try {
    const answer = await askOnce(options.journal(), options)
    return refusalOf(answer) ?? answer
  } catch (error) {
    if (error instanceof JournalError) return error
    throw error
  }
}

/** The same machine without a record: another process works on this daemon while this one only looks. */
export const askUnrecorded = (options: LifecycleOptions): Promise<Answered> =>
  askOnce(memoryJournal({ alive: mayLive, clock: options.state.clock }), options)

/**
 * The caller holds the lifecycle lock, which alone keeps requests apart. If the journal fails, the request goes unrecorded:
 * a daemon can be found and ended also when the disk is full. Asking again is safe, because each request looks first.
 */
export const askLifecycle = async (options: LifecycleOptions): Promise<Answered> => {
  const answer = await askRecorded(options)
  if (!(answer instanceof JournalError)) return answer
  options.note(`not recorded: ${answer.message}`)
  return askUnrecorded(options)
}

/** A look at a daemon never starts anything. */
const NO_PROGRAM = { path: '', args: [], env: {} }

export interface RecordOptions extends Pick<LifecycleOptions, 'ids' | 'journal'> {
  paths: DaemonPaths
  clock: Clock
}

/** Records what happens to a daemon unless another process is at it, whose request records what it finds. */
const record = async ({ paths, clock, ids, journal }: RecordOptions, event: StoredEvent): Promise<void> => {
  const state: RequestState = { ask: 'status', paths, clock, program: NO_PROGRAM }
  const locked = tryLock(paths.lock, clock)
  if (locked.kind !== 'held') return
  try {
    await tellOnce(journal(), { state, ids }, event)
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
  } finally {
    locked.release()
  }
}

/** Brings the record of a daemon up to date. */
export const recordStatus = (options: RecordOptions): Promise<void> => record(options, { type: EVENTS.status })

/** By the daemon itself, as the last thing that it does. */
export const recordEnd = (options: RecordOptions, end: DaemonEnd): Promise<void> =>
  record(options, { type: ENDS[end], pid: process.pid })
