/** The phones of flows over the service: on this host, or wherever in the fleet they are. */
import { join } from 'node:path'
import { chosenStepId } from '../contracts/chosen-step-ids.ts'
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'
import { EXPECTED_FORMAT } from '../contracts/literals.ts'
import type { RequestContext } from '../contracts/request-context.ts'
import type { PhoneAnswer, PhoneCall, Phones } from '../flows/phones.ts'
import type { Secrets } from '../runtime/secrets.ts'
import type { Call, Failed, Service } from './service.ts'

const FLOW_SOURCE = 'svc-flow'
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
}

const executionOf = ({ executionId, flowRunId, steps, timeoutMs }: PhoneCall, secrets: Secrets) => ({
  commandId: `${flowRunId}:${executionId.slice(-12)}`,
  taskId: flowRunId,
  source: FLOW_SOURCE,
  expectedFormat: EXPECTED_FORMAT,
  timeoutMs,
  actions: secrets.concealAll(steps).map((step, at) => ({ id: chosenStepId(at), ...step })),
})

/** A lost answer says nothing about the phone. */
const unperformed = ({ error }: Failed): PhoneAnswer => ({ kind: 'unperformed', error })

export const createFlowPhones = ({ service, context, operatorPackage, secrets }: FlowPhonesOptions): Phones => {
  const asking = (flowRunId: string, signal?: AbortSignal): Call => ({
    context: context(flowRunId),
    ...(signal === undefined ? {} : { signal }),
  })
  const anyone = (signal?: AbortSignal) => asking('', signal)
  /** Without an answer none is known: an execution on a reserved phone is refused by itself. */
  const reservedByOthers = async (leaseId: string | undefined, signal?: AbortSignal): Promise<ReadonlySet<string>> => {
    const listed = await (await service())['leases.list']({}, anyone(signal))
    const others = listed.ok ? listed.value.leases.filter(lease => lease.leaseId !== leaseId) : []
    return new Set(others.map(({ deviceId }) => deviceId))
  }

  return {
    async ready(signal, leaseId) {
      const [listed, taken] = await Promise.all([
        (await service())['devices.list']({}, anyone(signal)),
        reservedByOthers(leaseId, signal),
      ])
      if (!listed.ok) throw new Error(listed.error.message)
      return listed.value.devices
        .filter(({ state, deviceId }) => state === READY && !taken.has(deviceId))
        .map(({ deviceId }) => deviceId)
    },
    isReserved: async (deviceId, leaseId) => (await reservedByOthers(leaseId)).has(deviceId),
    async perform(call) {
      const { deviceId, executionId, flowRunId, observe, signal } = call
      const asked = asking(flowRunId, signal)
      const result = await (await service()).execute(
        {
          execution: executionOf(call, secrets),
          deviceId,
          waitMs: BUSY_WAIT_MS,
          ...(observe ? { observe } : {}),
          ...(operatorPackage === undefined ? {} : { operatorPackage }),
        },
        {
          ...asked,
          context: { ...asked.context, executionId, ...(secrets.isNeeded ? { secrets: secrets.list() } : {}) },
        },
      )
      if (!result.ok) return unperformed(result)
      const { stepResults: steps, error } = secrets.revealAll(result.value.envelope)
      return { kind: 'performed', steps, ...(error === null ? {} : { error }) }
    },
    async receipt(executionId) {
      const found = await (await service())['executions.get']({ executionId }, anyone())
      if (found.ok) return secrets.revealAll(found.value.execution)
      if (found.error.code === 'EXECUTION_NOT_FOUND') return undefined
      throw new Error(found.error.message)
    },
    async settings(deviceId, signal) {
      const read = await (await service())['settings.get']({ deviceId }, anyone(signal))
      return read.ok ? { ok: true, settings: read.value.settings } : { ok: false, error: read.error }
    },
    async startRecording(deviceId, flowRunId, signal) {
      const started = await (await service())['recording.start'](
        { deviceId, forMs: RECORDING_MS },
        asking(flowRunId, signal),
      )
      return started.ok ? undefined : started.error
    },
    async stopRecording(deviceId) {
      const stopped = await (await service())['recording.stop']({ deviceId }, anyone())
      if (!stopped.ok) return { ok: false, error: stopped.error }
      const { recordingId, folder, segments } = stopped.value.recording
      const files = segments.flatMap(({ file }) => (file === undefined ? [] : [join(folder, file)]))
      return files.length > 0 ? { ok: true, recordingId, files } : { ok: false, error: noVideo(recordingId) }
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

/** The longest video of one attempt; a recording that nobody stops ends by itself. */
const RECORDING_MS = 4 * 60 * 60_000

const noVideo = (recordingId: string): ErrorObject =>
  failure('RECORDING_FAILED', `The recording ${recordingId} has no file on this host.`)
