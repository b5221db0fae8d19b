/** The journal vocabulary of one run of flows: what is to run, the phones, and the ends of attempts. */
import * as v from 'valibot'
import { VERDICTS } from '../flows/test-run.ts'
import { DeadlinePassed, event, eventWithBody, PortFailed, text, time } from './event.ts'

/** One flow of a plan; `deviceId` is set where only that phone may run it, `after` where another flow goes first. */
export const PlannedFlow = v.strictObject({
  file: text,
  name: text,
  deviceId: v.nullable(text),
  after: v.nullable(time),
  /** True where this flow is not begun unless `after` has passed. */
  needsPassed: v.boolean(),
})
export type PlannedFlow = v.InferOutput<typeof PlannedFlow>

export const TestRunEvent = v.variant('type', [
  /** body: what was asked for, so that a later process can go on. */
  eventWithBody('run.requested', { testRunId: text, retries: time, failFast: v.boolean() }),
  /** body: tags, properties and digests of the flows. */
  eventWithBody('run.planned', { flows: v.array(PlannedFlow) }),
  /** body: every problem of the files. */
  eventWithBody('run.refused', { code: text, message: text }),
  /** A phone may take flows. */
  event('phone.joined', { deviceId: text }),
  /** A phone is gone, or belongs to somebody else. */
  event('phone.left', { deviceId: text }),
  /**
   * `lostPhone`: the attempt ended because its phone was gone, and nothing of it is in doubt; the flow begins again, and no
   * retry is used up.
   */
  event('attempt.ended', { flow: time, attempt: time, verdict: v.picklist(VERDICTS), lostPhone: v.boolean() }),
  event('run.cancelled', { reason: text }),
  event('run.interrupted', {}),
  event('run.resumed', { requestId: text }),
  DeadlinePassed,
  PortFailed,
])
export type TestRunEvent = v.InferOutput<typeof TestRunEvent>
