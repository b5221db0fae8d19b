/** The journal vocabulary of one skill run: wrapper outcomes and the order of judgement. */
import * as v from 'valibot'
import { DeadlinePassed, event, eventWithBody, PortFailed, text, time } from './event.ts'

/** The result of reading the terminal frame from stdout. */
export const FrameVerdict = v.picklist(['none', 'valid', 'malformed'])

/** The result of the verification that the skill declares. */
export const VerificationVerdict = v.picklist(['undeclared', 'proved', 'unproved', 'domain-failed'])
export type VerificationVerdict = v.InferOutput<typeof VerificationVerdict>

export const SkillRunEvent = v.variant('type', [
  event('run.requested', {
    runId: text,
    skillId: text,
    deviceId: v.nullable(text),
    operatorPackage: text,
    argv: v.array(text),
    /** The caller's own timeout; null leaves it to the skill and the default. */
    timeoutMs: v.nullable(time),
  }),
  /** A gate before the spawn said no. */
  event('run.refused', { code: text, message: text }),
  event('run.cleared', {
    script: text,
    /** SHA-256 of the script that is about to run. */
    digest: text,
    argv: v.array(text),
    agentDriven: v.boolean(),
    deadlineAt: time,
  }),
  event('child.spawned', { pid: time, started: text }),
  event('child.failed', { message: text }),
  /** body: what was captured of stdout and stderr, and the parsed result. */
  eventWithBody('child.exited', {
    exitCode: v.nullable(time),
    signal: v.nullable(text),
    frame: FrameVerdict,
    verification: VerificationVerdict,
    /** True when `--expect-contains` was met, or nothing was expected. */
    expectationMet: v.boolean(),
  }),
  event('run.cancelled', { signal: text }),
  event('run.interrupted', {}),
  DeadlinePassed,
  PortFailed,
])
export type SkillRunEvent = v.InferOutput<typeof SkillRunEvent>
