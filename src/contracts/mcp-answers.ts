/** The schemas of the structured content that the tools answer. */
import * as v from 'valibot'
import { ListedDevice } from './device.ts'
import { ResultEnvelope } from './execution-result.ts'
import type { ToolName } from './mcp.ts'
import { anyObject, openObject } from './objects.ts'
import { type Receipt, ReceiptState } from './receipt.ts'
import { count } from './scalars.ts'
import { ObservedScreen } from './screen.ts'

const maybe = v.exactOptional

const reached = { executionId: v.string(), deviceId: v.string() }
const observed = maybe(ObservedScreen)

/**
 * `data` holds texts, which are what the step says: `scroll_outcome`, `text`, `resolved_package`, ... The shape of `observed` is
 * listed with ExecutionDone alone, and gesture, dialog and app list none: naming it in each costs every client tokens.
 */
export const ActionDone = openObject({ ...reached, data: anyObject, observed: maybe(anyObject) })
export const TextRead = openObject({ ...reached, text: v.string() })
const { commandId, taskId, status, stepResults } = ResultEnvelope.entries
/** A successful execution; one that failed is a ToolFailure. */
export const ExecutionDone = openObject({
  ...reached,
  envelope: openObject({ commandId, taskId, status, stepResults }),
  observed,
})

/** A receipt in short; `code` is that of its failure. */
export const ReceiptSummary = openObject({
  executionId: v.string(),
  commandId: v.string(),
  deviceId: v.string(),
  state: ReceiptState,
  dispatched: v.boolean(),
  acceptedAt: count,
  status: maybe(v.string()),
  code: maybe(v.string()),
})
/** The skill run, and in a fleet the host, stand beside it: naming them in the listed schema costs every client tokens. */
export type ReceiptSummary = v.InferOutput<typeof ReceiptSummary> & Pick<Receipt, 'skillRunId' | 'host'>

export const SkillSummary = openObject({
  id: v.string(),
  applicationId: v.string(),
  intent: v.string(),
  summary: v.string(),
})

const { lease: _lease, phone: _phone, ...deviceEntries } = ListedDevice.entries

/**
 * Structured content of the tools; screenshots are images alone. In a fleet, lists add the hosts in `unanswered`. Answers that one
 * object makes up (`skill`, `receipt`), reservations, flows and emulators list none: it would cost every client tokens.
 */
export const TOOL_ANSWERS = {
  devices: openObject({ devices: v.array(openObject({ ...deviceEntries, lease: maybe(anyObject) })) }),
  snapshot: TextRead,
  execute: ExecutionDone,
  open: ActionDone,
  click: ActionDone,
  type: ActionDone,
  press: ActionDone,
  swipe: ActionDone,
  scroll: ActionDone,
  scroll_until: ActionDone,
  read: ActionDone,
  wait: ActionDone,
  skills_search: openObject({ skills: v.array(SkillSummary), count }),
  skills_run: openObject({ status: v.string(), runId: v.string(), executionIds: v.array(v.string()), run: anyObject }),
  receipts: openObject({ receipts: v.array(ReceiptSummary), count }),
} as const satisfies Partial<Record<ToolName, v.GenericSchema>>

/** A tool that failed answers this as JSON in its text, beside `isError`. Without `executionId` nothing was accepted. */
export const ToolFailure = openObject({
  code: v.string(),
  message: v.string(),
  hint: maybe(v.string()),
  executionId: maybe(v.string()),
  /** True when something may have reached the device; absent where there is no device. */
  dispatched: maybe(v.boolean()),
  details: maybe(anyObject),
})
export type ToolFailure = v.InferOutput<typeof ToolFailure>
