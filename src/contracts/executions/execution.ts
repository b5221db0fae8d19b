/** The execution payload in its canonical form; parsing fills in the defaults, so what a device gets is explicit. */
import * as v from 'valibot'
import { Id } from '../actions/shape.ts'
import { EXPECTED_FORMAT } from '../json/literals.ts'
import { closedObject } from '../json/objects.ts'
import { integer, text } from '../json/scalars.ts'
import { ACTIONS_MAX, ACTIONS_MIN, EXECUTION_TIMEOUT_MS, SOURCE_CHARS_MAX } from '../limits/limits.ts'
import { Action } from './action.ts'

export const Execution = closedObject({
  commandId: Id,
  taskId: Id,
  source: text(1, SOURCE_CHARS_MAX),
  expectedFormat: v.literal(EXPECTED_FORMAT),
  timeoutMs: integer(EXECUTION_TIMEOUT_MS),
  actions: v.pipe(v.array(Action), v.minLength(ACTIONS_MIN), v.maxLength(ACTIONS_MAX)),
  mode: v.exactOptional(v.picklist(['direct', 'artifact_compiled'])),
})
/** The device gets this form, with every default filled in. */
export type Execution = v.InferOutput<typeof Execution>
/** A caller may leave out params that have a default. */
export type ExecutionInput = v.InferInput<typeof Execution>
