/** The schemas of the structured content that the tools answer. */
import * as v from 'valibot'
import { ReceiptOutcome } from '../executions/evidence.ts'
import { type Receipt, ReceiptState } from '../executions/receipt.ts'
import { anyObject, openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'
import type { ToolName } from './mcp.ts'

const maybe = v.exactOptional

const reached = { executionId: v.string(), deviceId: v.string() }

/** A receipt in short; `code` is that of its failure. In a fleet it names its host. */
const ReceiptSummary = openObject({
  executionId: v.string(),
  commandId: v.string(),
  deviceId: v.string(),
  state: ReceiptState,
  dispatched: v.boolean(),
  acceptedAt: count,
  outcome: maybe(ReceiptOutcome),
  status: maybe(v.string()),
  code: maybe(v.string()),
})
export type ReceiptSummary = v.InferOutput<typeof ReceiptSummary> & Pick<Receipt, 'skillRunId' | 'host'>

/**
 * Structured content of the tools; screenshots are images alone. The others list none: a model reads the list in every
 * conversation, and the words of the arguments, by which it calls a tool, are worth more of it.
 */
export const TOOL_ANSWERS = {
  snapshot: openObject({ ...reached, text: v.string() }),
  execute: openObject({ ...reached, envelope: anyObject, observed: maybe(anyObject) }),
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
