/** The recordings of the devices of this host. */
import { asFailure } from '../executions/refusals.ts'
import type { Parts } from '../parts.ts'
import type { RecordingAnswer } from '../recordings/recordings.ts'
import { type Failed, failed, type RequestOptions, type Result, success } from '../service.ts'
import type { Requests } from './groups.ts'
import { answering } from './run.ts'

/** Bounds opening the link. */
const OPEN_MS = 20_000

const answered = (answer: RecordingAnswer, deviceId?: string) =>
  answer.ok
    ? success({ ok: true as const, recording: answer.recording }, { deviceId })
    : failed(answer.error, { deviceId })

export const requests = ({ openDevice, recordings, reservations, clock, note }: Parts): Requests<'recordings'> => {
  const asking = <T>(work: () => Promise<Result<T>>) =>
    answering<T>(() => work().catch(thrown => failed(asFailure(thrown))), { what: 'a request about a recording', note })
  const open = (deviceId: string, signal: AbortSignal | undefined) =>
    openDevice(deviceId, { deadline: clock.now() + OPEN_MS, signal })

  /** A device that is gone still has its recording; one that never had any must be there. */
  const actorOf = async (
    deviceId: string,
    { signal }: RequestOptions,
  ): Promise<{ ok: true; actor: string } | Failed> => {
    const live = recordings().find(deviceId, { isLive: true })
    if (live !== undefined) return { ok: true, actor: live }
    const reached = await open(deviceId, signal)
    if (reached.ok) return { ok: true, actor: await recordings().actorOf(reached.link, signal) }
    const past = recordings().find(deviceId, { isLive: false })
    return past === undefined ? failed(reached.error, { deviceId: reached.deviceId }) : { ok: true, actor: past }
  }

  return {
    'recording.start': ({ deviceId, ...request }, { context, signal }) =>
      asking(async () => {
        const reached = await open(deviceId, signal)
        if (!reached.ok) return failed(reached.error, { deviceId: reached.deviceId })
        const { caller, skillRunId, confirmed, leaseId } = context
        const asking = { caller, skillRunId, confirmed, leaseId, signal }
        const answer = await recordings().start(reached.link, request, asking)
        return answered(answer, reached.deviceId)
      }),
    'recording.status': ({ deviceId }, call) =>
      asking(async () => {
        const found = await actorOf(deviceId, call)
        if (!found.ok) return found
        return success({ ok: true as const, recording: recordings().status(found.actor) ?? null })
      }),
    'recording.stop': ({ deviceId }, call) =>
      asking(async () => {
        const found = await actorOf(deviceId, call)
        if (!found.ok) return found
        const leaseId = recordings().leaseOf(found.actor)
        const isOfOther = leaseId !== undefined && leaseId !== call.context.leaseId
        const refusal = isOfOther ? reservations().conflictWith(leaseId, deviceId) : undefined
        return refusal ? failed(refusal, { deviceId }) : answered(await recordings().stop(found.actor))
      }),
    'recordings.get': ({ recordingId }) => asking(async () => answered(recordings().get(recordingId))),
  }
}
