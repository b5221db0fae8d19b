/** The data that the viewer reads: actors with their work, whole records, summaries of executions, and traces. */
import * as v from 'valibot'
import { Evidence, EvidenceSource } from '../executions/evidence.ts'
import { ReceiptState } from '../executions/receipt.ts'
import { anyObject, dictionary, openObject } from '../json/objects.ts'
import { count, integer } from '../json/scalars.ts'
import { LIST_LIMIT } from '../limits/limits.ts'
import { RecordedPart } from '../recording.ts'
import { ActorSummary } from '../records/actor.ts'
import { JournalRecord } from '../records/journal.ts'

const ok = v.literal(true)
const text = v.string()

/** The execution or the skill run that an actor is busy with, or was last. */
export const ActorWork = openObject({
  executionId: v.exactOptional(text),
  commandId: v.exactOptional(text),
  skillRunId: v.exactOptional(text),
  skillId: v.exactOptional(text),
  deviceId: v.exactOptional(text),
  /** The session that a reservation is of. */
  sessionId: v.exactOptional(text),
  /** The purpose of a reservation, and the owner of the process that keeps it. */
  note: v.exactOptional(text),
  keptBy: v.exactOptional(text),
  /** The running execution in words. */
  title: v.exactOptional(text),
})
export type ActorWork = v.InferOutput<typeof ActorWork>

export const ViewedActor = openObject({
  ...v.omit(ActorSummary, ['deviceId', 'sessionId', 'note', 'keptBy']).entries,
  /** The `seq` of the actor's newest record. */
  seq: count,
  /** When it entered its state. */
  since: count,
  work: ActorWork,
})
export type ViewedActor = v.InferOutput<typeof ViewedActor>

/** A stream of transitions that resumes after `head` misses nothing that is not in the list. */
export const ViewedActorsResponse = openObject({
  ok,
  head: count,
  /** The same for all servers of one home, and for them alone; absent where a home cannot be told from others. */
  home: v.exactOptional(v.string()),
  actors: v.array(ViewedActor),
  /** There are older actors that are not in the list. */
  older: v.boolean(),
})
export type ViewedActorsResponse = v.InferOutput<typeof ViewedActorsResponse>

/** A fold begins here when retention has removed the first records: the machine's snapshot before the record `n`. */
export const FoldStart = openObject({ n: count, seq: count, version: count, snapshot: v.unknown() })
export type FoldStart = v.InferOutput<typeof FoldStart>

export const ActorRecordsResponse = openObject({
  ok,
  records: v.array(JournalRecord),
  start: v.exactOptional(FoldStart),
  next: v.exactOptional(count),
})
export type ActorRecordsResponse = v.InferOutput<typeof ActorRecordsResponse>

export const RecordBodyResponse = openObject({ ok, body: v.unknown() })
export type RecordBodyResponse = v.InferOutput<typeof RecordBodyResponse>

/** An execution without its result. `code` is `success`, or the code of what failed; absent while it runs. */
export const ExecutionSummary = openObject({
  executionId: text,
  commandId: text,
  taskId: text,
  deviceId: text,
  /** The execution in words; absent where neither the request nor a result tells. */
  title: v.exactOptional(text),
  /** The execution was sent and no envelope came back: a step that changes something may have run. */
  inDoubt: v.exactOptional(v.literal(true)),
  /** The execution that it goes on with. */
  resumes: v.exactOptional(text),
  operatorPackage: v.exactOptional(text),
  skillRunId: v.exactOptional(text),
  state: ReceiptState,
  acceptedAt: count,
  dispatchedAt: v.exactOptional(count),
  /** For `interrupted`, when its process was found to be gone. */
  settledAt: v.exactOptional(count),
  /** Evidence that came after its end, where no envelope had come. */
  evidence: v.exactOptional(Evidence),
  code: v.exactOptional(text),
  message: v.exactOptional(text),
  steps: v.array(text),
})
export type ExecutionSummary = v.InferOutput<typeof ExecutionSummary>

export const ExecutionSummariesResponse = openObject({
  ok,
  executions: v.array(ExecutionSummary),
  count,
  /** How many executions the filters were applied to. */
  searched: count,
  /** There are older executions that the filters were not applied to. */
  older: v.boolean(),
})
export type ExecutionSummariesResponse = v.InferOutput<typeof ExecutionSummariesResponse>

export const SUCCESS_CODE = 'success'

export const ExecutionSummariesQuery = openObject({
  deviceId: v.exactOptional(text),
  skillRunId: v.exactOptional(text),
  state: v.exactOptional(ReceiptState),
  code: v.exactOptional(text),
  operatorPackage: v.exactOptional(text),
  limit: v.exactOptional(
    v.pipe(text, v.regex(/^[0-9]{1,15}$/, 'must be a whole number'), v.transform(Number), integer(LIST_LIMIT)),
    `${LIST_LIMIT.default}`,
  ),
})
export type ExecutionSummariesQuery = v.InferOutput<typeof ExecutionSummariesQuery>

const TraceError = openObject({
  code: text,
  message: text,
  hint: v.exactOptional(text),
  details: v.exactOptional(anyObject),
})

/** A screen as it was recorded by a step: hierarchy XML, or the picture that `picture` leads to. */
export const TraceScreen = openObject({ xml: v.exactOptional(text), picture: v.exactOptional(text) })
export type TraceScreen = v.InferOutput<typeof TraceScreen>

export const TraceStep = openObject({
  id: text,
  type: text,
  /** The step in words. */
  title: text,
  /** It changes nothing on the device. */
  looks: v.exactOptional(v.literal(true)),
  /** Time passes over it, in which the screen may change by itself. */
  takesTime: v.exactOptional(v.literal(true)),
  params: v.exactOptional(v.unknown()),
  /** `unknown`: it was sent, and no result came back. */
  state: v.picklist(['succeeded', 'failed', 'not-run', 'unknown']),
  data: dictionary(text),
  error: v.exactOptional(TraceError),
  /** Steps of one segment travel to the device together; times are those of the segment. A step that did not run has none. */
  segment: v.exactOptional(count),
  startedAt: v.exactOptional(count),
  /** Absent where no record proves it: no answer of the segment came, and the end of the step was not recorded either. */
  endedAt: v.exactOptional(count),
  /** Where no answer tells it: who told how the step ended, and when that became known. */
  source: v.exactOptional(EvidenceSource),
  knownAt: v.exactOptional(count),
  /** The time of the step itself; absent where nobody measured it. */
  durationMs: v.exactOptional(count),
  screen: v.exactOptional(TraceScreen),
})
export type TraceStep = v.InferOutput<typeof TraceStep>

/** A screen that another execution of the device recorded, with nothing in between that acted; `step` took the picture. */
export const NeighbourScreen = openObject({
  ...TraceScreen.entries,
  /** The lines of a compact snapshot, in place of the hierarchy. */
  lines: v.exactOptional(text),
  executionId: text,
  at: count,
  step: v.exactOptional(openObject({ id: text, position: count })),
})
export type NeighbourScreen = v.InferOutput<typeof NeighbourScreen>

/** The parts of recordings of the screen that show it. */
const recorded = v.exactOptional(v.array(RecordedPart))

export const TraceExecution = openObject({
  ...ExecutionSummary.entries,
  before: v.exactOptional(NeighbourScreen),
  after: v.exactOptional(NeighbourScreen),
  timeoutMs: v.exactOptional(count),
  error: v.exactOptional(TraceError),
  timeline: v.array(TraceStep),
  recorded,
})
export type TraceExecution = v.InferOutput<typeof TraceExecution>

export const TraceRun = openObject({
  runId: text,
  skillId: text,
  deviceId: v.exactOptional(text),
  argv: v.array(text),
  state: text,
  code: v.exactOptional(text),
  message: v.exactOptional(text),
  startedAt: count,
  endedAt: v.exactOptional(count),
  exitCode: v.exactOptional(v.nullable(v.number())),
  stdout: v.exactOptional(text),
  stderr: v.exactOptional(text),
  skillResult: v.exactOptional(v.unknown()),
  recorded,
})
export type TraceRun = v.InferOutput<typeof TraceRun>

/** All that is known of one execution or one skill run: what a page needs to show it, from a server or from a file. */
export const Trace = openObject({
  kind: v.picklist(['execution', 'skill-run']),
  id: text,
  actor: text,
  machine: text,
  records: v.array(JournalRecord),
  start: v.exactOptional(FoldStart),
  executions: v.array(TraceExecution),
  /** Says what the trace leaves out and where to find it: one or two sentences for each. */
  omitted: v.exactOptional(v.array(text)),
  run: v.exactOptional(TraceRun),
})
export type Trace = v.InferOutput<typeof Trace>

export const TraceResponse = openObject({ ok, trace: Trace })
export type TraceResponse = v.InferOutput<typeof TraceResponse>

/** The newest recorded snapshot and picture of a device; `step` leads to the picture. */
const captured = { executionId: text, step: text, at: count }
export const DeviceScreenResponse = openObject({
  ok,
  snapshot: v.exactOptional(openObject({ ...captured, xml: text })),
  picture: v.exactOptional(openObject({ ...captured, url: text })),
})
export type DeviceScreenResponse = v.InferOutput<typeof DeviceScreenResponse>
