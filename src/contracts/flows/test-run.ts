/** Runs of flows: one run of many flows, the attempts of each flow, and the commands of an attempt. */
import * as v from 'valibot'
import { dictionary, openObject } from '../json/objects.ts'
import { count, positive } from '../json/scalars.ts'

/** `indeterminate`: the fault was not the app's nor the suite's, or nobody can say whether a command took effect. */
export const VERDICTS = ['passed', 'failed', 'indeterminate', 'skipped', 'cancelled'] as const
export type Verdict = (typeof VERDICTS)[number]
const OptionalVerdict = v.nullable(v.picklist(VERDICTS))

/** `ignored`: an optional command failed, which the flow goes on from. */
export const COMMAND_VERDICTS = ['passed', 'failed', 'indeterminate', 'skipped', 'ignored', 'running'] as const

export const FlowError = openObject({
  code: v.string(),
  message: v.string(),
  hint: v.exactOptional(v.string()),
  details: v.exactOptional(dictionary(v.unknown())),
  /** The file and the line, from 1, of the command that failed. */
  file: v.exactOptional(v.string()),
  line: v.exactOptional(positive),
  /** The command as it stands in the file. */
  command: v.exactOptional(v.string()),
})
export type FlowError = v.InferOutput<typeof FlowError>

/** A fault that fails no command, such as a variable that is not set. */
export const FlowWarning = openObject({
  message: v.string(),
  file: v.string(),
  line: positive,
})
export type FlowWarning = v.InferOutput<typeof FlowWarning>

/** A line that a script of the flow logged. */
export const FlowLogLine = openObject({
  text: v.string(),
  file: v.string(),
  line: positive,
})
export type FlowLogLine = v.InferOutput<typeof FlowLogLine>

export const FlowCommandResult = openObject({
  /** Counts the commands of an attempt in the order in which they began, from 0. */
  index: count,
  /** How many subflows and blocks the command stands in. */
  depth: count,
  /** The key in the file, such as tapOn. */
  name: v.string(),
  /** The label of the file, else the command in words. */
  text: v.string(),
  file: v.string(),
  line: positive,
  verdict: v.picklist(COMMAND_VERDICTS),
  startedAt: count,
  endedAt: v.exactOptional(count),
  /** In the order in which they were made; empty for a command that needs no phone. */
  executionIds: v.array(v.string()),
  error: v.exactOptional(FlowError),
  /** Paths below the folder of the run: screenshots, recordings, differences of pictures. */
  files: v.exactOptional(v.array(v.string())),
})
export type FlowCommandResult = v.InferOutput<typeof FlowCommandResult>

export const FlowAttempt = openObject({
  flowRunId: v.string(),
  /** Counts from 1. */
  attempt: positive,
  deviceId: v.string(),
  verdict: OptionalVerdict,
  startedAt: count,
  endedAt: v.exactOptional(count),
  error: v.exactOptional(FlowError),
  /** The execution that looked at the screen of the failure: a snapshot and a screenshot. */
  failureExecutionId: v.exactOptional(v.string()),
  /** Paths below the folder of the run: the screen of a failure, the log excerpt, the trace, the video. */
  files: v.exactOptional(v.array(v.string())),
  /** Each once, in their order. */
  warnings: v.exactOptional(v.array(FlowWarning)),
  /** The lines of `console.log`, with the commands: lists of runs leave them out. */
  log: v.exactOptional(v.array(FlowLogLine)),
  commands: v.exactOptional(v.array(FlowCommandResult)),
})
export type FlowAttempt = v.InferOutput<typeof FlowAttempt>

export const TestFlow = openObject({
  /** The file, relative to the folder that the run was asked for in. */
  flow: v.string(),
  /** Unique in the run: the name of the flow's own header, else the file name without its extension. */
  name: v.string(),
  tags: v.array(v.string()),
  properties: dictionary(v.string()),
  /** The device that alone may run it, with --shard-all. */
  deviceId: v.exactOptional(v.string()),
  verdict: OptionalVerdict,
  /** Why it was skipped. */
  reason: v.exactOptional(v.string()),
  attempts: v.array(FlowAttempt),
})
export type TestFlow = v.InferOutput<typeof TestFlow>

export const TEST_RUN_STATES = ['planning', 'running', 'interrupted', 'ended'] as const

export const TestRun = openObject({
  testRunId: v.string(),
  state: v.picklist(TEST_RUN_STATES),
  verdict: OptionalVerdict,
  startedAt: count,
  endedAt: v.exactOptional(count),
  /** Holds what the run keeps: pictures, videos, traces, logs. */
  folder: v.string(),
  host: v.exactOptional(v.string()),
  flows: v.array(TestFlow),
  /** Why nothing was run. */
  error: v.exactOptional(FlowError),
})
export type TestRun = v.InferOutput<typeof TestRun>

const ok = v.literal(true)
export const TestRunsResponse = openObject({ ok, testRuns: v.array(TestRun) })
export type TestRunsResponse = v.InferOutput<typeof TestRunsResponse>
export const TestRunResponse = openObject({ ok, testRun: TestRun })
export type TestRunResponse = v.InferOutput<typeof TestRunResponse>

/** A step of a run as it happens, for those who look on; the events of one attempt come in their order. */
export type TestProgress = { readonly at: number } & (
  | {
      readonly type: 'run.begun'
      readonly testRunId: string
      readonly flows: readonly Pick<TestFlow, 'flow' | 'name' | 'deviceId'>[]
      /** The ids of the devices that take flows. */
      readonly phones: readonly string[]
    }
  /** No phone takes a flow yet: which ones are waited for, and who has them. */
  | { readonly type: 'phones.awaited'; readonly words: string }
  | {
      readonly type: 'attempt.begun'
      readonly flowRunId: string
      readonly flow: string
      readonly name: string
      readonly attempt: number
      readonly deviceId: string
    }
  | ({ readonly type: 'command.begun'; readonly flowRunId: string } & Pick<
      FlowCommandResult,
      'index' | 'depth' | 'text' | 'file' | 'line'
    >)
  | {
      readonly type: 'command.ended'
      readonly flowRunId: string
      readonly index: number
      readonly verdict: FlowCommandResult['verdict']
    }
  | {
      readonly type: 'attempt.ended'
      readonly flowRunId: string
      readonly verdict: Verdict
      readonly error?: FlowError
      /** Another attempt of the same flow follows. */
      readonly isRetried: boolean
    }
  | { readonly type: 'run.ended'; readonly verdict: Verdict }
)
