/** Sends one segment to an operator app, and waits for its result. */

import { deferred } from '../../link/bounded.ts'
import { type CallOptions, type Link, LinkError } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import type { Segment, SegmentFacts } from '../segment.ts'
import {
  inTime,
  LAST_LOOK_MS,
  lastLookDelivered,
  partDelivered,
  refusalIn,
  refusalOf,
  type SegmentJob,
  type SegmentOutcome,
  STOPPED,
} from '../segment-outcome.ts'
import type { SegmentRecord, SegmentRun } from '../segment-run.ts'
import { operatorRequest, wireIdOf } from './segment-request.ts'
import { type LogWait, linkLost } from './session/log-waits.ts'
import type { OperatorSocket } from './session/sockets.ts'
import { type BroadcastCommand, broadcastCommand, canBePackage, readAmAnswer } from './wire/broadcast.ts'
import { inOrder } from './wire/progress.ts'

const inLog = async (
  { session, request, onStepEnd }: SegmentJob,
  look: (wait: LogWait) => Promise<SegmentOutcome>,
): Promise<SegmentOutcome> => {
  const wait = session.log.expect({ wireId: request.commandId, nonce: request.nonce }, onStepEnd)
  try {
    return await look(wait)
  } finally {
    wait.close()
  }
}

/** The socket is open and silent: one look costs nothing that matters, and shows what the operator logged last. */
const lastLook = (segmentJob: SegmentJob): Promise<SegmentOutcome> =>
  inLog(segmentJob, async wait => {
    const { clock, control } = segmentJob
    const look = await wait.conclude(clock.now() + LAST_LOOK_MS, control.dispatched())
    return lastLookDelivered({ ...look, reachable: true })
  })

/** An operator that cannot answer over the socket any more may still be at work, and writes its result to the log. */
const resultInLog = (segmentJob: SegmentJob, reason: string): Promise<SegmentOutcome> =>
  inLog(segmentJob, async wait => {
    const { clock, control } = segmentJob
    wait.dispatched(control.dispatched())
    wait.doubt()
    const ending = await inTime(wait.ending, segmentJob)
    if (ending) return partDelivered(ending)
    if (!control.isOverdue()) return { kind: 'unknown', code: 'STOPPED' }
    const { result } = await wait.conclude(clock.now() + LAST_LOOK_MS)
    return result ? partDelivered(result) : linkLost(reason)
  })

const bySocket = async (socket: OperatorSocket, segmentJob: SegmentJob): Promise<SegmentOutcome> => {
  const { control, request, segment, asked, onStepEnd } = segmentJob
  const undispatched = await control.dispatch(segment, asked)
  if (undispatched) return undispatched
  const ending = await inTime(socket.execute(request, onStepEnd), segmentJob)
  socket.forget(request.commandId)
  if (ending?.kind === 'unknown' && ending.code === 'DEVICE_LINK_LOST') return resultInLog(segmentJob, ending.reason)
  if (ending) return partDelivered(ending)
  return control.isOverdue() ? lastLook(segmentJob) : { kind: 'unknown', code: 'STOPPED' }
}

type OperatorSegment = Extract<Segment, { kind: 'operator' }>

const REMOVAL_MS = 500

/** Resolves to the refusal if it is one; stays open when the broadcast is out, or may be. */
const refusalBy = (answer: ReturnType<Link['shell']>, wait: LogWait, { control, operatorPackage }: SegmentJob) => {
  const { promise, resolve } = deferred<SegmentOutcome>()
  answer.then(
    result => {
      const read = readAmAnswer(result, operatorPackage)
      if (read.kind === 'not sent') resolve(read)
    },
    (error: unknown) => {
      if (error instanceof LinkError && error.code === 'LINK_COMMAND_TOO_LONG') resolve(refusalOf(error))
      // The broadcast has run, whatever it said: only the log knows more.
      else if (error instanceof LinkError && error.code === 'DEVICE_OUTPUT_TOO_LARGE') return
      else if (!control.end.aborted) wait.doubt()
    },
  )
  return promise
}

/** Pushes the payload if it needs a file. */
const refusedPush = async (link: Link, { file }: BroadcastCommand, options: CallOptions) => {
  if (!file) return undefined
  return link.push(file.path, file.content, options).then(() => undefined, refusalOf)
}

const byBroadcast = async (segmentJob: SegmentJob): Promise<SegmentOutcome> => {
  const { session, clock, control, operatorPackage, segment, asked, request, onStepEnd } = segmentJob
  const command = broadcastCommand(operatorPackage, request)
  const link = await session.log.open(control.preparing()).catch(refusalOf)
  if ('kind' in link) return control.halt.aborted ? STOPPED : link
  const wait = session.log.expect({ wireId: request.commandId, nonce: request.nonce }, onStepEnd)
  let leftBehind = false

  const deliver = async (): Promise<SegmentOutcome> => {
    const undispatched = await control.dispatch(segment, asked)
    if (undispatched) return undispatched
    leftBehind = command.file !== undefined
    const refused = await refusedPush(link, command, control.preparing())
    if (control.halt.aborted) return STOPPED
    if (refused) return refused
    // To push takes time, in which the phone may have changed its owner.
    const fenced = command.file ? refusalIn(control.fenced()) : undefined
    if (fenced) return fenced
    wait.dispatched()
    const answer = link.shell(command.line, { ...control.acting(), maxBytes: OUTPUT_BYTES_MAX.report })
    const end = await inTime(
      Promise.race([wait.ending.then(partDelivered), refusalBy(answer, wait, segmentJob)]),
      segmentJob,
    )
    if (end) return end
    if (!control.isOverdue()) return { kind: 'unknown', code: 'STOPPED' }
    return lastLookDelivered(await wait.conclude(clock.now() + LAST_LOOK_MS))
  }

  try {
    return await deliver()
  } finally {
    wait.close()
    if (command.file && leftBehind) {
      const options = { deadline: clock.now() + REMOVAL_MS }
      const { removal } = command.file
      await session
        .link(options)
        .then(present => present.shell(removal, { ...options, maxBytes: OUTPUT_BYTES_MAX.report }))
        .catch(() => {})
    }
  }
}

/** How the record of a segment says that it is no list of steps, or not as long as the list has it. */
export const recordOf = (
  { isListed, isUnbegun, isShort }: SegmentFacts,
  count: number,
): Pick<SegmentRecord, 'part' | 'unbegun' | 'count'> => {
  if (!isListed) return { part: true, ...(isUnbegun ? { unbegun: true } : {}) }
  return isShort ? { count } : {}
}

/** Over the session socket where the operator has one, else by broadcast. */
export const sendSegment = async (
  operatorPackage: string,
  segment: OperatorSegment,
  run: SegmentRun,
  onProgress?: SegmentRun['onProgress'],
): Promise<SegmentOutcome> => {
  const { executionId, dispatch, session, control, clock, handover } = run
  handover?.drop()
  const { execution } = dispatch
  if (!canBePackage(operatorPackage)) {
    const message = `${JSON.stringify(operatorPackage.slice(0, 64))} cannot be the name of an installed app`
    return { kind: 'not sent', code: 'OPERATOR_NOT_INSTALLED', message }
  }
  const awaited = { wireId: wireIdOf(executionId, segment.index), nonce: control.nonceOf(segment.index) }
  const timeLeftMs = execution.timeoutMs - control.spentMs()
  const request = operatorRequest({ execution, actions: segment.actions, awaited, timeLeftMs })
  const hears = segment.isListed && segment.actions.length > 1 ? onProgress : undefined
  const onStepEnd = hears && inOrder(segment.actions.length, end => hears({ segment: segment.index, ...end }))
  const { index } = segment
  const asked = { nonce: request.nonce, ...recordOf(segment, segment.actions.length) }
  const segmentJob = { session, clock, control, operatorPackage, segment: index, asked, request, onStepEnd }
  const socket = await session.sockets.get(operatorPackage, control.preparing()).catch(refusalOf)
  if (socket && 'kind' in socket) return socket
  return socket ? bySocket(socket, segmentJob) : byBroadcast(segmentJob)
}
