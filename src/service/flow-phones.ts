/** The phones of flows over the service: on this host, or wherever in the fleet they are. */
import { join } from 'node:path'
import { chosenStepId } from '../contracts/chosen-step-ids.ts'
import type { RequestContext } from '../contracts/doors/request-context.ts'
import { Action } from '../contracts/executions/action.ts'
import type { ErrorObject } from '../contracts/failures/error.ts'
import { failure } from '../contracts/failures/failures.ts'
import { EXPECTED_FORMAT, FLOW_SOURCE } from '../contracts/json/literals.ts'
import type { OwnSecrets, Secrets } from '../runtime/secrets.ts'
import type { PhoneAnswer, PhoneCall, PhonePool, PhoneStep, Phones } from './flows/phones.ts'
import { testRunActor, testRunOf } from './flows/read-test-run.ts'
import { reservationWords } from './reservations/read-reservation.ts'
import type { UndoNote, UndoOwner } from './reservations/undo-notes.ts'
import { wordsOf } from './schema-words.ts'
import type { Failed, RequestOptions, Service } from './service.ts'
import type { Undo } from './undo-left.ts'

/** A phone that somebody else uses is waited for so long. */
const BUSY_WAIT_MS = 60_000
const LOG_LINES_SHOWN = 200
const READY = 'device'

export interface FlowPhonesOptions {
  service: () => Promise<Service>
  /** Tells who asks, and which files it may name. */
  context: (flowRunId: string) => RequestContext
  operatorPackage?: string | undefined
  secrets: Secrets
  undo: () => Undo
}

const schemaOf = (type: string) => Action.options.find(option => option.entries.type.literal === type)

/** A step has words of svc where only such words are taken, as in a direction. */
const concealedStep = (step: PhoneStep, { concealAll }: OwnSecrets): PhoneStep =>
  concealAll(step, wordsOf(schemaOf(step.type), step))

const executionOf = ({ executionId, flowRunId, steps, timeoutMs }: PhoneCall, secrets: OwnSecrets) => ({
  commandId: `${flowRunId}:${executionId.slice(-12)}`,
  taskId: flowRunId,
  source: FLOW_SOURCE,
  expectedFormat: EXPECTED_FORMAT,
  timeoutMs,
  actions: steps.map((step, at) => ({ id: chosenStepId(at), ...concealedStep(step, secrets) })),
})

/** A lost answer says nothing about the phone. */
const unperformed = ({ error }: Failed): PhoneAnswer => ({ kind: 'unperformed', error })

/** The run outlives its attempts, and its process owns it. */
const ownerOf = (flowRunId: string): UndoOwner => ({ id: flowRunId, actor: testRunActor(testRunOf(flowRunId)) })

const phonesFor = ({ service, context, operatorPackage, secrets, undo }: FlowPhonesOptions): Phones => {
  const asking = (flowRunId: string, signal?: AbortSignal): RequestOptions => ({
    context: context(flowRunId),
    ...(signal === undefined ? {} : { signal }),
  })
  const anyone = (signal?: AbortSignal) => asking('', signal)
  /** The recording that the attempt has begun, also in a process before this one. */
  const recordingNote = (deviceId: string, flowRunId: string): UndoNote | undefined =>
    undo()
      .notes.of(deviceId, flowRunId)
      .findLast(({ work }) => work.kind === 'recording')

  return {
    async perform(call) {
      const { deviceId, executionId, flowRunId, observe, signal } = call
      const callOptions = asking(flowRunId, signal)
      const ownSecrets = secrets.of(testRunOf(flowRunId))
      const known = ownSecrets.list()
      const result = await (await service()).execute(
        {
          execution: executionOf(call, ownSecrets),
          deviceId,
          waitMs: BUSY_WAIT_MS,
          ...(observe ? { observe } : {}),
          ...(operatorPackage === undefined ? {} : { operatorPackage }),
        },
        {
          ...callOptions,
          context: { ...callOptions.context, executionId, ...(known.length > 0 ? { secrets: known } : {}) },
        },
      )
      if (!result.ok) return unperformed(result)
      const { stepResults: steps, error } = ownSecrets.revealAll(result.value.envelope)
      return { kind: 'performed', steps, ...(error === null ? {} : { error }) }
    },
    async receipt(executionId) {
      const found = await (await service())['executions.get']({ executionId }, anyone())
      if (found.ok) return secrets.of(testRunOf(found.value.execution.taskId)).revealAll(found.value.execution)
      if (found.error.code === 'EXECUTION_NOT_FOUND') return undefined
      throw new Error(found.error.message)
    },
    async settings(deviceId, signal) {
      const read = await (await service())['settings.get']({ deviceId }, anyone(signal))
      return read.ok ? { ok: true, settings: read.value.settings } : { ok: false, error: read.error }
    },
    async startRecording(deviceId, flowRunId, signal) {
      const asked = asking(flowRunId, signal)
      const started = await undo().startRecording(ownerOf(flowRunId), { deviceId, forMs: RECORDING_MS }, asked)
      return started.ok ? undefined : started.error
    },
    async stopRecording(deviceId, flowRunId) {
      const own = recordingNote(deviceId, flowRunId)
      if (own?.work.kind !== 'recording') return { ok: false, error: notOwn(deviceId) }
      const { recordingId } = own.work
      const present = await (await service())['recording.status']({ deviceId }, anyone())
      const isOther = present.ok && recordingId !== undefined && present.value.recording?.recordingId !== recordingId
      const stopped = isOther ? undefined : await (await service())['recording.stop']({ deviceId }, anyone())
      await undo().notes.settled(own)
      if (!stopped) return { ok: false, error: notOwn(deviceId) }
      if (!stopped.ok) return { ok: false, error: stopped.error }
      const { folder, segments, recordingId: ended } = stopped.value.recording
      const files = segments.flatMap(({ file }) => (file === undefined ? [] : [join(folder, file)]))
      return files.length > 0 ? { ok: true, recordingId: ended, files } : { ok: false, error: noVideo(ended) }
    },
    async logLines(deviceId, since, signal) {
      const read = await (await service())['logs.read'](
        { deviceId, since: new Date(since).toISOString(), limit: String(LOG_LINES_SHOWN), take: 'last' } as never,
        anyone(signal),
      )
      if (!read.ok) throw new Error(read.error.message)
      return read.value.lines.map(({ time, level, tag, message }) => `${time} ${level} ${tag}: ${message}`)
    },
  }
}

/** Extended while the attempt runs: after a runner that died far away, its phone is free again this much later. */
const ATTEMPT_LEASE_MS = 2 * 60_000

export const createFlowPhones = (options: FlowPhonesOptions): PhonePool => {
  const { service, context, undo } = options
  const nobody = context('')
  /** The phone of each listed serial, as it answered last: a serial that falls silent is still that phone. */
  let identities: ReadonlyMap<string, string> = new Map()
  return {
    ...phonesFor(options),
    async list(signal, leaseId) {
      undo().lookAgain()
      const call = { context: nobody, signal }
      const [listed, reserved] = await Promise.all([
        (await service())['devices.list']({ phones: 'true' }, call),
        (await service())['leases.list']({}, call),
      ])
      if (!listed.ok) throw new Error(listed.error.message)
      // Without an answer none is known: a reserved phone is refused when it is asked for. Attempts of flows come to an end.
      const leases = reserved.ok ? reserved.value.leases : []
      const others = leases.filter(lease => lease.leaseId !== leaseId && lease.flowRunId === undefined)
      const taken = new Map(
        others.flatMap(lease => {
          const words = reservationWords(lease)
          return [lease.deviceId, lease.phone ?? lease.deviceId].map(name => [name, words] as const)
        }),
      )
      const { devices } = listed.value
      const known = new Map(
        devices.flatMap(({ deviceId, phone = identities.get(deviceId) }) =>
          phone === undefined ? [] : [[deviceId, phone] as const],
        ),
      )
      identities = known
      return devices.map(({ deviceId, serial, state }) => {
        const phone = known.get(deviceId) ?? deviceId
        const reservation = taken.get(deviceId) ?? taken.get(phone)
        const named = { deviceId, serial, phone }
        if (state !== READY) return { ...named, state: 'away' }
        if (reservation !== undefined) return { ...named, state: 'reserved', reservation }
        return { ...named, state: known.has(deviceId) ? 'free' : 'unidentified' }
      })
    },
    async reserve({ deviceId, flowRunId, waitMs, signal }) {
      const call = { context: context(flowRunId), signal, leave: signal }
      const wanted = { device: deviceId, forMs: ATTEMPT_LEASE_MS, waitMs, flowRunId }
      const made = await (await service())['leases.create'](wanted, call)
      if (!made.ok) return made
      const { leaseId } = made.value.lease
      const under = (id: string): RequestContext => ({ ...context(id), leaseId })
      const callOptions = { context: under(flowRunId) }
      return {
        ok: true,
        phones: phonesFor({ ...options, context: under }),
        // One that is over by then is told by the next execution.
        async extend() {
          await (await service())['leases.extend']({ leaseId, forMs: ATTEMPT_LEASE_MS }, callOptions)
        },
        async release() {
          await undo().undoOwn(deviceId, flowRunId, callOptions)
          const ended = await (await service())['leases.end']({ leaseId }, callOptions)
          return ended.ok || ended.error.code === 'LEASE_NOT_FOUND'
        },
      }
    },
  }
}

/** The longest video of one attempt; a recording that nobody stops ends by itself. */
const RECORDING_MS = 4 * 60 * 60_000

const notOwn = (deviceId: string): ErrorObject =>
  failure(
    'RECORDING_NOT_FOUND',
    'The recording that this flow began is over, and another one runs or was made since.',
    {
      details: { deviceId },
    },
  )

const noVideo = (recordingId: string): ErrorObject =>
  failure('RECORDING_FAILED', `The recording ${recordingId} has no file on this host.`)
