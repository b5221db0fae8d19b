/** Delivers a segment by broadcast, and takes its result from the device log. */
import type { CallOptions, Link } from '../adb/link.ts'
import { LinkError } from '../adb/link-error.ts'
import { OUTPUT_BYTES_MAX } from '../adb/link-limits.ts'
import { refusalIn } from './control.ts'
import {
  type Delivery,
  inTime,
  LAST_LOOK_MS,
  lastLookDelivered,
  partDelivered,
  refusalOf,
  type SegmentJob,
} from './delivery.ts'
import { deferred } from './session/deferred.ts'
import type { LogWait } from './session/log-wait.ts'
import { readAmAnswer } from './wire/am-answer.ts'
import { type BroadcastCommand, broadcastCommand } from './wire/broadcast-command.ts'

const REMOVAL_MS = 500

/** Resolves to the refusal if it is one; stays open when the broadcast is out, or may be. */
const refusalBy = (answer: ReturnType<Link['shell']>, wait: LogWait, { control, operatorPackage }: SegmentJob) => {
  const { promise, resolve } = deferred<Delivery>()
  answer.then(
    result => {
      const read = readAmAnswer(result, operatorPackage)
      if (read.kind === 'refused') resolve(read)
    },
    (error: unknown) => {
      if (error instanceof LinkError && error.code === 'LINK_COMMAND_TOO_LONG') resolve(refusalOf(error))
      // It has run, whatever it said: only the log knows more.
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

export const byBroadcast = async (segmentJob: SegmentJob): Promise<Delivery> => {
  const { session, clock, control, operatorPackage, segment, request } = segmentJob
  const command = broadcastCommand(operatorPackage, request)
  const link = await session.log.open(control.preparing()).catch(refusalOf)
  if ('kind' in link) return control.halt.aborted ? { kind: 'stopped' } : link
  const wait = session.log.expect({ wireId: request.commandId, nonce: request.nonce })
  let leftBehind = false

  const deliver = async (): Promise<Delivery> => {
    const undispatched = await control.dispatch(segment)
    if (undispatched) return undispatched
    leftBehind = command.file !== undefined
    const refused = await refusedPush(link, command, control.preparing())
    if (control.halt.aborted) return { kind: 'stopped' }
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
    if (!control.isOverdue()) return { kind: 'stopped' }
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
