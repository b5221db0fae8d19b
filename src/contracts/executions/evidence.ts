/** Evidence on an execution without envelope: from whom, when, and what it decides. */
import * as v from 'valibot'
import { openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'

/**
 * `progress`: told as the step ended, by the operator or by the host that performed it. `operator`: the operator app was
 * asked for what it had kept. `log`: the log of the phone was read back.
 */
export const EvidenceSource = v.picklist(['progress', 'operator', 'log'])
export type EvidenceSource = v.InferOutput<typeof EvidenceSource>

/** The word that an execution in doubt moves to, once. */
export const EvidencedOutcome = v.picklist(['done', 'failed', 'not_sent'])
export type EvidencedOutcome = v.InferOutput<typeof EvidencedOutcome>

export const ReceiptOutcome = v.picklist([...EvidencedOutcome.options, 'unknown'])
export type ReceiptOutcome = v.InferOutput<typeof ReceiptOutcome>

/** The newest evidence on an execution that ended in doubt. */
export const Evidence = openObject({ source: EvidenceSource, at: count, outcome: v.exactOptional(EvidencedOutcome) })
export type Evidence = v.InferOutput<typeof Evidence>

export const StepOutcome = v.picklist(['done', 'failed', 'not_run', 'unknown'])
export type StepOutcome = v.InferOutput<typeof StepOutcome>
