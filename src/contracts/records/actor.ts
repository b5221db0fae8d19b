/** The actors behind the service, as /actors shows them: summaries, transitions, histories. */
import * as v from 'valibot'
import { keepingObject, openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'

/** `device:<serial>`, `skill-run:<id>`, `emulator:<avd>` or `daemon:<key>`. */
const actorId = v.string()

export const ActorSummary = openObject({
  id: actorId,
  machine: v.string(),
  state: v.string(),
  tags: v.array(v.string()),
  updatedAt: count,
  /** The phone of a session or of a reservation. */
  deviceId: v.exactOptional(v.string()),
  /** The session that a reservation is of. */
  sessionId: v.exactOptional(v.string()),
  /** The purpose of a reservation, and the user and machine of the process that keeps it. */
  note: v.exactOptional(v.string()),
  keptBy: v.exactOptional(v.string()),
})
export type ActorSummary = v.InferOutput<typeof ActorSummary>

/** How far a long step is; `total` is 0 where nobody knows it. */
export const StepProgress = openObject({ what: v.string(), done: count, total: count })
export type StepProgress = v.InferOutput<typeof StepProgress>
export type TellProgress = (progress: StepProgress) => void

/** The data of `svc:transition`; `event` is the type of the event that caused it. */
export const TransitionRecord = openObject({
  seq: count,
  actor: actorId,
  machine: v.string(),
  event: v.string(),
  from: v.string(),
  to: v.string(),
  at: count,
  /** Only `execution.progressed` has it. */
  progress: v.exactOptional(StepProgress),
  /** In a fleet, the host that has the actor; `seq` counts in the journal of that host. */
  host: v.exactOptional(v.string()),
})
export type TransitionRecord = v.InferOutput<typeof TransitionRecord>

export const HistoryEvent = openObject({
  seq: count,
  at: count,
  type: v.string(),
  event: keepingObject({ type: v.string() }),
})
export type HistoryEvent = v.InferOutput<typeof HistoryEvent>

const ok = v.literal(true)

export const ActorsResponse = openObject({ ok, actors: v.array(ActorSummary) })

export const ActorResponse = openObject({ ok, actor: ActorSummary })

/** `next` is the value of `after` that continues; absent on the last page. */
export const ActorHistoryResponse = openObject({ ok, events: v.array(HistoryEvent), next: v.exactOptional(count) })
