/** The output of device commands: results, `--validate-only` and `--dry-run`. */
import * as v from 'valibot'
import { Action } from './action.ts'
import { ResultEnvelope } from './envelope.ts'
import { Execution } from './execution.ts'
import { TERMINAL_SOURCE } from './execution-result.ts'
import { openObject } from './objects.ts'
import { count } from './scalars.ts'
import { Observed } from './screen.ts'

export const DeviceCommandOutput = openObject({
  envelope: ResultEnvelope,
  deviceId: v.string(),
  terminalSource: v.literal(TERMINAL_SOURCE),
  isCanonicalTerminal: v.literal(true),
  observed: v.exactOptional(Observed),
})
export type DeviceCommandOutput = v.InferOutput<typeof DeviceCommandOutput>

export const ValidateOnlyOutput = openObject({ ok: v.literal(true), validated: v.literal(true), execution: Execution })
export type ValidateOnlyOutput = v.InferOutput<typeof ValidateOnlyOutput>

export const DryRunOutput = openObject({
  ok: v.literal(true),
  dryRun: v.literal(true),
  plan: openObject({
    commandId: v.string(),
    timeoutMs: count,
    actionCount: count,
    actions: v.array(Action),
  }),
})
export type DryRunOutput = v.InferOutput<typeof DryRunOutput>
