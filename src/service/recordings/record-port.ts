/** The port that records: segment after segment on the phone, over links that come and go, each fetched when it has ended. */

import { statfs } from 'node:fs/promises'
import type { RecordInput } from '../../../machines/recording/recording-setup.ts'
import { HOME_MODE } from '../../contracts/limits/limits.ts'
import {
  LINK_BACK_MS,
  PHONE_BACK_MS,
  RECORDING_ASK_MS,
  SEGMENTS_MAX,
  SPACE_SPARE_BYTES,
  STOP_LOOK_MS,
} from '../../contracts/limits/recording-limits.ts'
import type { Link } from '../../device/link/link.ts'
import { createLogWriter } from '../../runtime/append-record.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { makeFolder } from '../../runtime/files/make-folder.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { Port, PortTools } from '../../runtime/port.ts'
import { isLinkTrouble, linkBack, type RecordingDeps, serialOf } from './deps.ts'
import { fetchSegment } from './fetch-segment.ts'
import { changeManifest, newManifest, recordingFolder, segmentFile, withSegment } from './manifest.ts'
import { freeBytes, lookAt, phoneFile, removeSegment } from './phone-recorder.ts'
import { beginSegment, type RunningSegment, sizeFor, watchSegment } from './segment.ts'
import { failureOfError, type RecorderFailure, recorderFailure } from './start-problem.ts'

// Stopping what another process records: a request on record, which the owner looks for.

/** Not a machine: a record that somebody wants the recording to end. */
const MACHINE = 'recording-stop'
const actorOf = (recordingId: string) => `${MACHINE}:${recordingId}`

/** Rejects with JournalError. Asking twice is asking once. */
export const requestStop = async (
  { recordingId, requestId }: { recordingId: string; requestId: string },
  { journal, clock }: { journal: Journal; clock: Clock },
): Promise<void> => {
  await createLogWriter({ journal, clock }).append({
    actor: actorOf(recordingId),
    machine: MACHINE,
    state: 'requested',
    event: { type: 'stop.wanted', recordingId, requestId },
    isSaidBy: () => true,
  })
}

/** The request to stop; undefined where there is none, or the journal cannot be read. */
const isStopWanted = (journal: Pick<Journal, 'last'>, recordingId: string): string | undefined => {
  try {
    const wanted = journal.last(actorOf(recordingId))?.event.requestId
    return typeof wanted === 'string' ? wanted : undefined
  } catch (error) {
    if (error instanceof JournalError) return undefined
    throw error
  }
}

const BITS_PER_BYTE = 8
const MS_PER_SECOND = 1_000
/** So many segments in a row that end by themselves at once end the recording. */
const EARLY_ENDS_MAX = 3
const EARLY_MS = 5_000

const noSpace = (place: string, free: number, needed: number): RecorderFailure => ({
  code: 'RECORDING_NO_SPACE',
  message: `${place} has ${free} bytes free, and a segment of the recording may take ${needed}.`,
  details: { reason: place === 'This host' ? 'host_full' : 'device_full', free, needed },
})

const spaceProblem = async (
  link: Link,
  folder: string,
  { options }: RecordInput,
  call: { deadline: number; signal: AbortSignal },
): Promise<RecorderFailure | undefined> => {
  const lengthMs = Math.min(options.segmentMs, options.forMs)
  const needed = Math.ceil((options.bitRate / BITS_PER_BYTE) * (lengthMs / MS_PER_SECOND)) + SPACE_SPARE_BYTES
  const onPhone = await freeBytes(link, call)
  if (onPhone !== undefined && onPhone < needed) return noSpace('The device', onPhone, needed)
  const { bavail, bsize } = await statfs(folder)
  const here = bavail * bsize
  return here < needed ? noSpace('This host', here, needed) : undefined
}

/** Requests of other processes, and the end of this one. */
const heedOthers = ({ recordingId }: RecordInput, { send, signal }: PortTools, deps: RecordingDeps): (() => void) => {
  const { host, journal, clock } = deps
  const forget = host.onStop(async () => void (await send({ type: 'host.closing' })))
  const look = async () => {
    while (!signal.aborted) {
      const wanted = isStopWanted(journal, recordingId)
      if (wanted !== undefined) return void (await send({ type: 'stop.requested', requestId: wanted }))
      await pause(clock, STOP_LOOK_MS, signal)
    }
  }
  void look()
  return forget
}

export const recordPort =
  (deps: RecordingDeps): Port<RecordInput> =>
  async (input, tools) => {
    const { send, signal, actor } = tools
    const { clock, home } = deps
    const { recordingId, deviceId, options } = input
    const folder = recordingFolder(home, recordingId) ?? ''
    const failed = (failure: RecorderFailure) => send({ type: 'recorder.failed', ...failure })
    const within = () => ({ deadline: clock.now() + RECORDING_ASK_MS, signal })
    const lengthLeft = () => input.options.forMs - tools.spentMs(input.since)
    const change = (facts: Parameters<typeof withSegment>[1]) =>
      changeManifest(recordingId, deps, manifest => withSegment(manifest, facts, clock.now()))

    /** The segments are fetched one after the other, beside the one that is being recorded. */
    let fetching: Promise<unknown> = Promise.resolve()
    const fetchLater = (link: Link, segment: number) => {
      fetching = fetching.then(async () => {
        if (signal.aborted) return
        try {
          const name = segmentFile(segment)
          const from = phoneFile(recordingId, segment)
          const fetched = await fetchSegment({ link, from, folder, name, by: 'record', clock, signal })
          if (signal.aborted) return
          const { bytes, sha256, isPlayable } = fetched
          change({ segment, file: name, bytes, sha256, playable: isPlayable })
          if (!(await send({ type: 'segment.saved', segment, ...fetched }))) return
          await removeSegment(link, { recordingId, segment }, within())
        } catch (error) {
          // A segment that stayed on the phone is fetched at the end; a host that is full ends the recording.
          if (!signal.aborted && !isLinkTrouble(error)) await failed(failureOfError(error))
        }
      })
    }

    let link: Link
    const relink = async (error: unknown): Promise<boolean> => {
      if (!isLinkTrouble(error)) throw error
      if (!(await send({ type: 'link.lost', message: error.message }))) return false
      link = await linkBack({ deviceId, actor, until: clock.elapsed() + LINK_BACK_MS, signal }, deps)
      return send({ type: 'link.restored' })
    }

    /** Does it again once the link is back; undefined when the recording is over. */
    const overLinks = async <T>(work: (wasLost: boolean) => Promise<T>): Promise<T | undefined> => {
      for (let wasLost = false; !signal.aborted; wasLost = true) {
        try {
          return await work(wasLost)
        } catch (error) {
          if (signal.aborted || !(await relink(error))) return undefined
        }
      }
      return undefined
    }

    const watch = async (running: RunningSegment) => {
      const endedBy = await overLinks(async wasLost => {
        const how = await watchSegment({ link, clock, signal }, running)
        return wasLost && how === 'ended_itself' ? 'link_lost' : how
      })
      if (endedBy === undefined) return undefined
      const { segment, endsAt } = running
      // The phone ends it by itself, however late that is seen.
      const endedAt = clock.now() + Math.min(0, Math.ceil(endsAt - clock.elapsed()))
      change({ segment, endedAt, endedBy })
      if (!(await send({ type: 'segment.ended', segment, reason: endedBy }))) return undefined
      fetchLater(link, segment)
      return endedBy
    }

    const { segmentMs, bitRate } = options
    let { size } = options
    /** The rotation for which the size was chosen. */
    let first: number | undefined
    const prepare = (segment: number) =>
      overLinks(async () => {
        const full = await spaceProblem(link, folder, input, within())
        return { full, rotation: (await lookAt(link, { recordingId, segment }, within())).rotation }
      })
    const begin = async (segment: number): Promise<RunningSegment | undefined> => {
      const prepared = await prepare(segment)
      if (!prepared) return undefined
      if (prepared.full) return void (await failed(prepared.full))
      first ??= prepared.rotation
      const limitMs = Math.max(MS_PER_SECOND, Math.min(segmentMs, lengthLeft()))
      const wanted = sizeFor(size, first, prepared.rotation)
      const began = clock.elapsed()
      const begun = await overLinks(mayRun =>
        beginSegment({ link, clock, signal }, { recordingId, segment, limitMs, bitRate, size: wanted, mayRun }),
      )
      if (!begun || signal.aborted) return undefined
      if (!begun.ok) return void (await failed(begun.failure))
      size ??= sizeFor(begun.size, prepared.rotation, first)
      const { rotation, at } = begun
      change({ segment, startedAt: at, ...(rotation === undefined ? {} : { rotation }) })
      const isTold = await send({ type: 'segment.started', segment, rotation: rotation ?? null })
      return isTold ? { recordingId, segment, rotation, endsAt: began + limitMs } : undefined
    }

    const run = async (): Promise<void> => {
      // Without its record, nobody would end what the phone goes on recording, or clear it.
      await deps.journal.synced()
      if (signal.aborted) return
      makeFolder(folder, HOME_MODE)
      newManifest(input, serialOf(actor), deps)
      link = await linkBack({ deviceId, actor, until: clock.elapsed() + PHONE_BACK_MS, signal }, deps)
      for (let segment = 1, early = 0; segment <= SEGMENTS_MAX; segment += 1) {
        const began = clock.elapsed()
        const running = await begin(segment)
        const endedBy = running && (await watch(running))
        if (endedBy === undefined) return
        early = endedBy === 'ended_itself' && clock.elapsed() - began < EARLY_MS ? early + 1 : 0
        if (early < EARLY_ENDS_MAX) continue
        return void (await failed(recorderFailure('screenrecord ended by itself again and again')))
      }
      await failed({ ...recorderFailure(''), message: `The recording had ${SEGMENTS_MAX} segments.` })
    }

    const forget = heedOthers(input, tools, deps)
    try {
      await run()
    } catch (error) {
      if (!signal.aborted) await failed(failureOfError(error))
    } finally {
      await fetching
      forget()
    }
  }
