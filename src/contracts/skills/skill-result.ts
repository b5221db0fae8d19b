/**
 * The SkillResult: as a skill frames it, without `source`, and as the runner hands it on, with it. Every optional field may
 * be null in a frame, which is the same as absent; no answer has such a null.
 */
import * as v from 'valibot'
import { anyObject, keepingObject, nullAsAbsent, openObject, optional } from '../json/objects.ts'
import { count } from '../json/scalars.ts'

/** The line before the JSON line; both end the output of a skill. */
export const SKILL_RESULT_MARKER = '[Svc-Skill-Result]'
export const SKILL_RESULT_VERSION = '1.0.0'

export const ResultValue = v.variant('kind', [
  openObject({ kind: v.literal('text'), text: v.string() }),
  openObject({ kind: v.literal('json'), value: v.unknown() }),
  nullAsAbsent(
    openObject({
      kind: v.literal('result_envelope_ref'),
      execEnvelopeIndex: count,
      stepResultId: optional(v.string()),
    }),
  ),
])

/** The skill's own conclusion; the wrapper's status is another matter. */
export const DomainStatus = v.picklist(['success', 'failed', 'indeterminate'])

export const Checkpoint = nullAsAbsent(
  openObject({
    id: v.string(),
    status: v.picklist(['ok', 'failed', 'skipped']),
    observedAt: optional(v.string()),
    evidence: optional(ResultValue),
    note: optional(v.string()),
  }),
)
export type Checkpoint = v.InferOutput<typeof Checkpoint>

export const TerminalVerification = nullAsAbsent(
  openObject({
    status: v.picklist(['verified', 'failed', 'not_run']),
    expected: optional(ResultValue),
    observed: optional(ResultValue),
    note: optional(v.string()),
  }),
)

export const Diagnostics = nullAsAbsent(
  keepingObject({
    runtimeState: optional(v.picklist(['healthy', 'poisoned', 'unavailable', 'unknown'])),
    warnings: optional(v.array(v.string())),
    hints: optional(v.array(v.string())),
  }),
)

const entries = {
  contractVersion: v.pipe(v.string(), v.regex(/^1\.\d+\.\d+$/, 'must be a version 1.y.z')),
  skillId: v.string(),
  goal: optional(anyObject),
  inputs: optional(anyObject),
  result: v.nullable(ResultValue),
  status: DomainStatus,
  checkpoints: v.array(Checkpoint),
  terminalVerification: optional(TerminalVerification),
  diagnostics: optional(Diagnostics),
  execEnvelopes: optional(v.array(v.unknown())),
}

/** Unknown keys are dropped; `source` is refused, because only the runner knows who ran. */
export const SkillResultFrame = nullAsAbsent(
  openObject({ ...entries, source: v.exactOptional(v.never('must be absent: only svc may set source')) }),
)
export type SkillResultFrame = v.InferOutput<typeof SkillResultFrame>

export const SkillSource = v.variant('kind', [
  openObject({ kind: v.literal('script') }),
  openObject({ kind: v.literal('agent'), agentCli: v.string() }),
])
export type SkillSource = v.InferOutput<typeof SkillSource>

export const SkillResult = nullAsAbsent(openObject({ ...entries, source: SkillSource }))
export type SkillResult = v.InferOutput<typeof SkillResult>
