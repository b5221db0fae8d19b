/**
 * Undoes what sessions and attempts of flows began on a phone: at their end, or, where their process has died, before this
 * home uses the phone again and at the next start of a server. One process undoes it, once.
 */

import { ANY_PORT, endsOf } from '../contracts/device/forwards.ts'
import type { Door, RequestContext } from '../contracts/doors/request-context.ts'
import type { ErrorObject } from '../contracts/failures/error.ts'
import { failure } from '../contracts/failures/failures.ts'
import { EXPECTED_FORMAT } from '../contracts/json/literals.ts'
import { type Clock, pause } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import { messageOf } from '../runtime/message-of.ts'
import { errorOf } from './executions/to-error.ts'
import type { UndoNote, UndoNotes, UndoOwner, UndoWork } from './reservations/undo-notes.ts'
import { type Failed, failed, type InputOf, type RequestOptions, type Service } from './service.ts'

const UNDO_SOURCE = 'svc-undo'
const SHOWN_ID_CHARS = 12
const RESTORE_MS = 10_000
/** Another process that undoes it is waited for so long. */
const OTHERS_MS = 20_000
const LOOK_MS = 50
/** A phone that was away or busy is tried again after so long, or when it is used. */
const AGAIN_MS = 30_000

export interface UndoDeps {
  notes: UndoNotes
  host(): Pick<Host, 'whileOwned'>
  clock: Clock
  ids: Ids
  /** Reaches the phones of all hosts where this one is in a fleet. */
  service(): Promise<Service>
  /** A line for a person. */
  note(text: string): void
}

/** `isOpen` where the phone was not reached, or is held by others: then a later use of the phone undoes it. */
type Outcome = { ok: true } | { ok: false; isOpen: boolean; error: ErrorObject }
const DONE: Outcome = { ok: true }
const unreached = ({ error }: Failed): Outcome => ({ ok: false, isOpen: true, error })

const DOORS: Readonly<Record<string, Door>> = { session: 'webdriver', 'test-run': 'flow' }
const doorOf = ({ owner: { actor } }: UndoNote): Door => DOORS[actor.slice(0, actor.indexOf(':'))] ?? 'cli'

const nameOf = (work: UndoWork): string => {
  if (work.kind === 'settings') return `the settings ${work.settings.join(', ')}`
  if (work.kind === 'recording') return 'the recording of the screen'
  return work.kind === 'forward' ? `the forward from ${work.local}` : `the reverse from ${work.remote}`
}

const ownerName = ({ owner: { id, actor } }: UndoNote): string =>
  actor.startsWith('session:') ? `session ${id}` : `flow run ${id}`

export const createUndo = ({ notes, host, clock, ids, service, note: tell }: UndoDeps) => {
  /** False until this process has seen that no owner that is over has left anything. */
  let isClean = false
  const atIt = new Map<string, Promise<void>>()
  const triedAt = new Map<string, number>()
  const toldOpen = new Set<string>()

  const restore = async (
    { deviceId, owner }: UndoNote,
    settings: readonly string[],
    call: RequestOptions,
  ): Promise<Outcome> => {
    const executionId = ids.at(clock.now())
    const execution = {
      commandId: `undo-${executionId.slice(-SHOWN_ID_CHARS)}`,
      taskId: owner.id,
      source: UNDO_SOURCE,
      expectedFormat: EXPECTED_FORMAT,
      timeoutMs: RESTORE_MS,
      actions: [{ id: 'undo', type: 'restore_settings', params: { settings: [...settings] } }],
    }
    const context: RequestContext = { ...call.context, executionId, isFollowUp: true }
    const done = await (await service()).execute({ execution, deviceId }, { ...call, context })
    if (!done.ok) return unreached(done)
    const { error } = done.value.envelope
    return error === null ? DONE : { ok: false, isOpen: false, error }
  }

  const endRecording = async (
    { deviceId }: UndoNote,
    { since, recordingId }: Extract<UndoWork, { kind: 'recording' }>,
    call: RequestOptions,
  ): Promise<Outcome> => {
    const status = await (await service())['recording.status']({ deviceId }, call)
    if (!status.ok) return status.error.code === 'DEVICE_NOT_FOUND' ? unreached(status) : DONE
    const { recording } = status.value
    const isIt =
      recording && (recordingId === undefined ? recording.startedAt >= since : recording.recordingId === recordingId)
    // One that is over may have been followed by a recording of somebody else.
    if (!isIt || recording.state === 'saved') return DONE
    const stopped = await (await service())['recording.stop']({ deviceId }, call)
    return stopped.ok || stopped.error.code === 'RECORDING_NOT_FOUND' ? DONE : unreached(stopped)
  }

  const unforward = async (
    { deviceId }: UndoNote,
    { kind, local, remote, others = [] }: Extract<UndoWork, { local: string }>,
    call: RequestOptions,
  ): Promise<Outcome> => {
    const asked = await service()
    const { listens, target } = endsOf(kind)
    const noted = { local, remote }
    /** A process may die before it has noted which port was chosen. */
    const isIt = (each: { local: string; remote: string }) =>
      each[target] === noted[target] &&
      (noted[listens] === ANY_PORT ? !others.includes(each[listens]) : each[listens] === noted[listens])
    const listed =
      kind === 'forward'
        ? await asked['forwards.list']({ deviceId }, call)
        : await asked['reverses.list']({ deviceId }, call)
    if (!listed.ok) return unreached(listed)
    const { value } = listed
    // Somebody may have led it elsewhere since.
    for (const each of ('forwards' in value ? value.forwards : value.reverses).filter(isIt)) {
      const removed =
        kind === 'forward'
          ? await asked['forwards.remove']({ deviceId, end: each.local }, call)
          : await asked['reverses.remove']({ deviceId, end: each.remote }, call)
      if (!removed.ok) return unreached(removed)
    }
    return DONE
  }

  const undoOne = async (note: UndoNote, call: RequestOptions): Promise<Outcome> => {
    const { work } = note
    try {
      if (work.kind === 'settings') return await restore(note, work.settings, call)
      return await (work.kind === 'recording' ? endRecording(note, work, call) : unforward(note, work, call))
    } catch (thrown) {
      return { ok: false, isOpen: true, error: failure('INTERNAL_ERROR', messageOf(thrown)) }
    }
  }

  const closed = async (note: UndoNote, outcome: Outcome): Promise<Outcome> => {
    if (outcome.ok || !outcome.isOpen) await notes.settled(note)
    else isClean = false
    return outcome
  }

  const left = (): readonly UndoNote[] => {
    try {
      const found = notes.left()
      isClean = found.length === 0
      return found
    } catch (error) {
      if (error instanceof JournalError) return []
      throw error
    }
  }

  const tellUndone = (note: UndoNote, done: readonly UndoNote[]): void => {
    const works = done.map(({ work }) => nameOf(work)).join(' and ')
    tell(`${ownerName(note)} ended without putting ${note.deviceId} in order: undid ${works}`)
  }

  /** Once for each reason: a phone that is away is tried again and again. */
  const tellOpen = (note: UndoNote, { message }: ErrorObject): void => {
    const text = `${ownerName(note)} has left ${nameOf(note.work)} on ${note.deviceId}, which is not undone: ${message}`
    if (!toldOpen.has(text)) tell(text)
    toldOpen.add(text)
  }

  const undoWhileOwned = async (deviceId: string, leaseId: string | undefined): Promise<void> => {
    // Another process may have undone some meanwhile.
    const open = left().filter(note => note.deviceId === deviceId)
    for (const ownerId of new Set(open.map(({ owner }) => owner.id))) {
      const done: UndoNote[] = []
      for (const note of open.filter(({ owner }) => owner.id === ownerId)) {
        const context: RequestContext = { caller: doorOf(note), ...(leaseId === undefined ? {} : { leaseId }) }
        const outcome = await closed(note, await undoOne(note, { context }))
        if (outcome.ok) done.push(note)
        else tellOpen(note, outcome.error)
      }
      if (done[0]) tellUndone(done[0], done)
    }
    left()
  }

  const undoOn = (deviceId: string, leaseId: string | undefined): Promise<void> => {
    const known = atIt.get(deviceId)
    if (known !== undefined) return known
    const work = async () => {
      const until = clock.elapsed() + OTHERS_MS
      triedAt.set(deviceId, clock.elapsed())
      try {
        while (!(await host().whileOwned(`undo:${deviceId}`, { deviceId }, () => undoWhileOwned(deviceId, leaseId)))) {
          if (clock.elapsed() >= until) return
          await pause(clock, LOOK_MS)
        }
      } catch (error) {
        if (!(error instanceof JournalError)) throw error
        tell(`what was left on ${deviceId} cannot be undone: ${error.message}`)
      }
    }
    const undoing = work().finally(() => atIt.delete(deviceId))
    atIt.set(deviceId, undoing)
    return undoing
  }

  /** Notes a change before it is made. Answers why the journal does not take the note: then it must not be made. */
  const remember = (note: UndoNote): Promise<ErrorObject | undefined> =>
    notes.remember(note).then(
      () => undefined,
      (thrown: unknown) => errorOf(thrown, 'INTERNAL_ERROR'),
    )

  const devicesOf = (found: readonly UndoNote[]) => [...new Set(found.map(({ deviceId }) => deviceId))]

  return {
    notes,
    remember,
    /** Starts a recording that ends with its owner at the latest. */
    async startRecording(owner: UndoOwner, input: InputOf<'recording.start'>, call: RequestOptions) {
      const { deviceId } = input
      const note: UndoNote = { deviceId, owner, work: { kind: 'recording', since: clock.now() } }
      const problem = await remember(note)
      if (problem) return failed(problem, { deviceId })
      const started = await (await service())['recording.start'](input, call)
      // A note that the journal does not change leads to the same recording by its time.
      if (!started.ok) await notes.settled(note).catch(() => {})
      else {
        const { recordingId } = started.value.recording
        await notes.replaced(note, { kind: 'recording', since: clock.now(), recordingId }).catch(() => {})
      }
      return started
    },
    /** The owner ends: it undoes its own work on the phone, which it still holds. Answers the first problem. */
    async undoOwn(deviceId: string, ownerId: string, call: RequestOptions): Promise<ErrorObject | undefined> {
      const own = notes.of(deviceId, ownerId).toReversed()
      const outcomes = await Promise.all(own.map(async note => closed(note, await undoOne(note, call))))
      return outcomes.flatMap(outcome => (outcome.ok ? [] : [outcome.error]))[0]
    },
    /** Undefined where nothing is left on the phone, or on any phone where none is named. */
    beforeUse(deviceId: string | undefined, leaseId: string | undefined): Promise<unknown> | undefined {
      if (isClean) return undefined
      const concerned = left().filter(note => deviceId === undefined || note.deviceId === deviceId)
      return concerned.length === 0
        ? undefined
        : Promise.all(devicesOf(concerned).map(device => undoOn(device, leaseId)))
    },
    /** Another process may have died since: the next use of a phone looks again. */
    lookAgain(): void {
      isClean = false
    },
    /** For servers, again and again: phones that are away or busy are tried again from time to time. */
    async undoLeft(): Promise<void> {
      const now = clock.elapsed()
      const due = devicesOf(left()).filter(device => now - (triedAt.get(device) ?? Number.NEGATIVE_INFINITY) > AGAIN_MS)
      await Promise.all(due.map(device => undoOn(device, undefined)))
    },
  }
}

export type Undo = ReturnType<typeof createUndo>
