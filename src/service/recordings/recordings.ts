/** Recordings as routes and commands use them: started, stopped, read, and put in order after a process that died. */
import { join } from 'node:path'
import { CATALOGUE } from '../../../machines/catalogue.ts'
import { IN_FLIGHT } from '../../../machines/definition.ts'
import type { RecordingContext, RecordingEmitted } from '../../../machines/recording/recording-setup.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type FailureCode, failure, isFailureCode } from '../../contracts/failures/failures.ts'
import {
  BIT_RATE,
  RECORDING_ASK_MS,
  RECORDING_SOON_MS,
  RECORDING_START_MS,
  RECORDING_STOP_MS,
  SEGMENT_MS,
} from '../../contracts/limits/recording-limits.ts'
import type { RecordedPart, Recording, RecordingRequest } from '../../contracts/recording.ts'
import type { StoredEvent } from '../../contracts/records/journal.ts'
import type { Link } from '../../device/link/link.ts'
import { pause } from '../../runtime/clock.ts'
import { foldActor } from '../../runtime/fold.ts'
import type { AskResult } from '../../runtime/host.ts'
import type { ClaimedCaller } from '../policy/gates.ts'
import { type RecordingDeps, recordingActor, serialOf } from './deps.ts'
import { readManifest, segmentFile } from './manifest.ts'
import { requestStop } from './record-port.ts'
import { type RecordedTime, recordedParts } from './segments-of-execution.ts'

/** The policy judges who asks for a recording. */
export interface RecordingCaller extends ClaimedCaller {
  confirmed?: readonly string[] | undefined
  /** The reservation under which it is asked for. */
  leaseId?: string | undefined
  signal?: AbortSignal | undefined
}

export type RecordingAnswer = { ok: true; recording: Recording } | { ok: false; error: ErrorObject }

const UNFINISHED = 'failed.unfinished'
/** The next server, daemon, start or stop puts it in order. */
const LEFT_ON_PHONE = {
  code: 'RECORDING_FAILED',
  message:
    'The recording is unfinished: its last part may still be on the device. Stopping the recording again fetches it, and so does the next start.',
}
/** Whatever ends the recording answers all who wait for its end. */
const STOP = { answers: ['recording.ended'], ms: RECORDING_STOP_MS } as const
const START = { answers: ['recording.started', 'recording.ended'], ms: RECORDING_START_MS } as const

const refused = (code: string, message: string, details: unknown): RecordingAnswer => {
  const known: FailureCode = isFailureCode(code) ? code : 'RECORDING_FAILED'
  const facts = typeof details === 'object' && details !== null ? { details: details as Record<string, unknown> } : {}
  return { ok: false, error: failure(known, message, facts) }
}

const noManifest = (recordingId: string): RecordingAnswer =>
  refused('RECORDING_NOT_FOUND', `The manifest of the recording ${recordingId} was removed.`, { recordingId })

export const createRecordings = (deps: RecordingDeps) => {
  const { clock, ids, home } = deps

  const contextOf = (actor: string): RecordingContext | undefined =>
    foldActor(CATALOGUE.recording, deps.journal, actor).snapshot?.context

  const isInFlight = (actor: string): boolean => deps.journal.last(actor)?.tags.includes(IN_FLIGHT) ?? false

  const manifestOf = (recordingId: string): RecordingAnswer => {
    const recording = readManifest(home, recordingId)
    return recording ? { ok: true, recording } : noManifest(recordingId)
  }

  const unanswered = (
    outcome: Exclude<AskResult<RecordingEmitted>, { kind: 'answered' | 'held' }>,
  ): RecordingAnswer => {
    if (outcome.kind === 'unrecorded') {
      const { message, reason, hint } = outcome.error
      return { ok: false, error: failure('JOURNAL_UNAVAILABLE', `${message}.`, { details: { reason }, hint }) }
    }
    return refused('RECORDING_FAILED', `The request got no answer (${outcome.kind}).`, { reason: 'unanswered' })
  }

  const ask = (
    actor: string,
    deviceId: string,
    event: StoredEvent & { requestId: string },
    { answers, ms }: { answers: readonly RecordingEmitted['type'][]; ms: number },
  ) =>
    deps.host.ask<RecordingEmitted>(
      { id: actor, machine: 'recording', input: { deviceId }, note: { requestId: event.requestId } },
      event,
      {
        matches: emitted =>
          emitted.type === 'recording.refused' ? emitted.requestId === event.requestId : answers.includes(emitted.type),
        until: clock.now() + ms,
      },
    )

  const newId = () => ids.at(clock.now())

  const answerOf = (emitted: RecordingEmitted): RecordingAnswer => {
    if (emitted.type === 'recording.refused') return refused(emitted.code, emitted.message, emitted.details)
    const failed = emitted.type === 'recording.ended' ? emitted.failure : null
    if (!failed) return manifestOf(emitted.recordingId)
    const { recordingId } = emitted
    const details = typeof failed.details === 'object' && failed.details !== null ? failed.details : {}
    return refused(failed.code, failed.message, { recordingId, ...details })
  }

  /** Fetches what a process that died left on the phone. Undefined when there was nothing, or all is in order. */
  const repairOne = async (actor: string): Promise<RecordingAnswer | undefined> => {
    await deps.host.recover({ actor })
    if (deps.journal.last(actor)?.to !== UNFINISHED) return undefined
    const deviceId = contextOf(actor)?.deviceId ?? ''
    const outcome = await ask(actor, deviceId, { type: 'repair.requested', requestId: newId() }, STOP)
    if (outcome.kind === 'held') return undefined
    return outcome.kind === 'answered' ? answerOf(outcome.emitted) : unanswered(outcome)
  }

  const call = (signal: AbortSignal | undefined) => ({ deadline: clock.now() + RECORDING_ASK_MS, signal })

  /** Another process records: it looks for the request, and tells the end by its records. */
  const stopElsewhere = async (actor: string): Promise<RecordingAnswer> => {
    const recordingId = contextOf(actor)?.recordingId ?? ''
    await requestStop({ recordingId, requestId: newId() }, deps)
    const until = clock.elapsed() + RECORDING_STOP_MS
    while (isInFlight(actor) && clock.elapsed() < until) {
      await pause(clock, RECORDING_SOON_MS)
      await deps.host.recover({ actor })
    }
    const repaired = await repairOne(actor)
    if (repaired && !repaired.ok) return repaired
    const { failure: failed } = contextOf(actor) ?? {}
    return failed ? refused(failed.code, failed.message, { recordingId }) : manifestOf(recordingId)
  }

  return {
    /** Answers once the phone records. Rejects with LinkError and JournalError. */
    async start(
      link: Link,
      request: RecordingRequest,
      { signal, leaseId, ...caller }: RecordingCaller,
    ): Promise<RecordingAnswer> {
      const { forMs, bitRate = BIT_RATE, size = null } = request
      const actor = await recordingActor(link, deps, call(signal))
      const serials = async () => [link.serial, await link.hardwareSerial(call(signal))]
      const denied = await deps.mayRecord({ ...caller, serials })
      if (denied) return { ok: false, error: denied }
      const repaired = await repairOne(actor)
      if (repaired && !repaired.ok && deps.journal.last(actor)?.to === UNFINISHED) return repaired
      const options = { forMs, segmentMs: SEGMENT_MS, bitRate, size }
      const requestId = newId()
      const event = {
        type: 'start.requested',
        requestId,
        recordingId: newId(),
        deviceId: link.serial,
        options,
        ...(leaseId === undefined ? {} : { leaseId }),
      }
      const outcome = await ask(actor, link.serial, event, START)
      if (outcome.kind === 'answered') return answerOf(outcome.emitted)
      if (outcome.kind !== 'held') return unanswered(outcome)
      const { pid } = outcome.lease.holder
      const message = `The screen of ${link.serial} is being recorded by process ${pid}.`
      return refused('RECORDING_IN_PROGRESS', message, {
        recordingId: contextOf(actor)?.recordingId ?? null,
        holder: { pid, since: outcome.lease.since },
      })
    },
    /** Answers once the files are on this host. Rejects with LinkError and JournalError. */
    async stop(actor: string): Promise<RecordingAnswer> {
      const deviceId = contextOf(actor)?.deviceId ?? serialOf(actor)
      const repaired = await repairOne(actor)
      if (repaired) return repaired
      const outcome = await ask(actor, deviceId, { type: 'stop.requested', requestId: newId() }, STOP)
      if (outcome.kind === 'held') return stopElsewhere(actor)
      return outcome.kind === 'answered' ? answerOf(outcome.emitted) : unanswered(outcome)
    },
    /** The reservation under which the recording began that is being made; undefined where anybody may stop it. */
    leaseOf: (actor: string): string | undefined =>
      isInFlight(actor) ? (contextOf(actor)?.leaseId ?? undefined) : undefined,
    /** The recording that is made, or the last one; undefined for a device that was never recorded. */
    status(actor: string): Recording | undefined {
      const recordingId = contextOf(actor)?.recordingId
      const recording = recordingId ? readManifest(home, recordingId) : undefined
      if (!recording) return undefined
      if (isInFlight(actor) && deps.journal.leases.owner(actor) === undefined)
        return { ...recording, state: 'failed', reason: 'host_died', error: LEFT_ON_PHONE }
      return deps.journal.last(actor)?.to === UNFINISHED ? { ...recording, error: LEFT_ON_PHONE } : recording
    },
    /** The devices whose recording is being made or unfinished, as their recordings named them. */
    openDevices: (): string[] =>
      deps.journal
        .actors({ machine: 'recording' })
        .filter(({ tags, to }) => tags.includes(IN_FLIGHT) || to === UNFINISHED)
        .map(({ actor }) => contextOf(actor)?.deviceId ?? serialOf(actor)),
    /** The actor of a device that has a recording, which may be unplugged now; `isLive` wants one that is being made. */
    find: (deviceId: string, { isLive }: { isLive: boolean }): string | undefined =>
      deps.journal
        .actors({ machine: 'recording' })
        .filter(({ tags, to }) => !isLive || tags.includes(IN_FLIGHT) || to === UNFINISHED)
        .map(({ actor }) => actor)
        .find(actor => serialOf(actor) === deviceId || contextOf(actor)?.deviceId === deviceId),
    /** Asks the device for the name under which it is owned. */
    actorOf: (link: Link, signal?: AbortSignal): Promise<string> => recordingActor(link, deps, call(signal)),
    /** By its id. */
    get: manifestOf,
    /** The parts of recordings that show a device during a time. */
    parts: (time: RecordedTime): RecordedPart[] => recordedParts(time, home, clock.now()),
    /** The file of a segment; undefined for one that the manifest does not have. */
    videoFile(recordingId: string, segment: string): string | undefined {
      const recording = readManifest(home, recordingId)
      const found = recording?.segments.find(each => String(each.segment) === segment)
      return recording && found?.file ? join(recording.folder, segmentFile(found.segment)) : undefined
    },
    /** Puts in order what processes that died left of recordings; says what was done. */
    async repair(): Promise<string[]> {
      await deps.host.recover({ machine: 'recording' })
      const left = deps.journal.actors({ machine: 'recording' }).filter(({ to }) => to === UNFINISHED)
      const lines = await Promise.all(
        left.map(async ({ actor }) => {
          const recordingId = contextOf(actor)?.recordingId
          const repaired = await repairOne(actor)
          if (!repaired) return []
          const ending = repaired.ok ? `its segments are in ${repaired.recording.folder}` : repaired.error.message
          return [`recording ${recordingId} was left unfinished by a process that died: ${ending}`]
        }),
      )
      return lines.flat()
    },
  }
}

export type Recordings = ReturnType<typeof createRecordings>
