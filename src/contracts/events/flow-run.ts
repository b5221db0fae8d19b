/** The journal vocabulary of one attempt of one flow: its stages, its commands, and what these asked of the phone. */
import * as v from 'valibot'
import { COMMAND_VERDICTS } from '../test-run.ts'
import { event, eventWithBody, PortFailed, text, time } from './event.ts'

/** The hook before the flow, the flow itself, and the hook behind it. */
export const FLOW_STAGES = ['start', 'main', 'complete'] as const
export type FlowStage = (typeof FLOW_STAGES)[number]

const index = time

export const FlowRunEvent = v.variant('type', [
  event('flow.requested', {
    flowRunId: text,
    testRunId: text,
    /** The position of the flow in its run. */
    flow: time,
    file: text,
    deviceId: text,
    attempt: time,
    /** SHA-256 of all files of the flow: a later process goes on with the same ones only. */
    digest: text,
  }),
  /** `now` is the time that scripts of the command see, also when they are evaluated again. */
  event('command.begun', { index, depth: time, name: text, text, file: text, line: time, now: time }),
  /** Recorded before the phone is asked, under an id that no other execution has. */
  event('call.begun', { index, executionId: text }),
  /** body: the answers of servers that the scripts of the command had. */
  eventWithBody('script.answered', { index }),
  /** body: the error, the paths of files, and what later commands need of it. */
  eventWithBody('command.ended', { index, verdict: v.picklist(COMMAND_VERDICTS), code: v.nullable(text) }),
  /** Without a failure everything of the stage has passed. body: the error, and the files that show it. */
  eventWithBody('stage.ended', {
    stage: v.picklist(FLOW_STAGES),
    failureCode: v.nullable(text),
    index: v.nullable(index),
  }),
  event('flow.cancelled', { reason: text }),
  event('flow.interrupted', {}),
  /** A later process goes on after the last command that is proven. */
  event('flow.resumed', { requestId: text }),
  PortFailed,
])
export type FlowRunEvent = v.InferOutput<typeof FlowRunEvent>
