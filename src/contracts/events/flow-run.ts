/** The journal vocabulary of one attempt of one flow: its stages, its commands, and what these asked of the phone. */
import * as v from 'valibot'
import { COMMAND_VERDICTS } from '../flows/test-run.ts'
import { event, eventWithBody, PortFailed, text, time } from './event.ts'

/** The hook before the flow, the flow itself, and the hook behind it. */
export const FLOW_STAGES = ['start', 'main', 'complete'] as const
export type FlowStage = (typeof FLOW_STAGES)[number]

/** Scripts stand in the header of the main flow, in the label of a command, or in the command itself. */
export const SCRIPT_OWNERS = ['header', 'label', 'command'] as const
export type ScriptOwner = (typeof SCRIPT_OWNERS)[number]
const scriptOf = v.picklist(SCRIPT_OWNERS)

const index = time

export const FlowRunEvent = v.variant('type', [
  /** body: the SHA-256 of each of these files, by its path. */
  eventWithBody('flow.requested', {
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
  /**
   * A request of a script: recorded before its first byte leaves. `evaluation` counts the evaluations of the owner, and
   * `request` the answered requests of the evaluation.
   */
  event('request.begun', {
    index,
    scriptOf,
    evaluation: time,
    request: time,
    method: text,
    url: text,
    digest: text,
  }),
  /** body: what a script was answered, recorded before it sees the answer of a server. */
  eventWithBody('script.answered', { index, scriptOf }),
  /** A file that the digest of the flow does not cover. */
  event('file.read', { index, file: text, digest: text }),
  /** body: the error, the paths of files, and what later commands need of it. */
  eventWithBody('command.ended', { index, verdict: v.picklist(COMMAND_VERDICTS), code: v.nullable(text) }),
  /**
   * Without a failure everything of the stage has passed. body: the error, the files that show it, and the execution
   * that looked at the screen.
   */
  eventWithBody('stage.ended', {
    stage: v.picklist(FLOW_STAGES),
    failureCode: v.nullable(text),
    index: v.nullable(index),
  }),
  event('flow.cancelled', { reason: text }),
  event('flow.interrupted', {}),
  /** A later process goes on after the last command that is proven. */
  event('flow.resumed', { requestId: text }),
  /** A later process cannot go on. body: the error. */
  eventWithBody('flow.refused', { code: text }),
  PortFailed,
])
export type FlowRunEvent = v.InferOutput<typeof FlowRunEvent>
