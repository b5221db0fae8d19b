/** Faults: which executions of a device go wrong, and how. */
import * as v from 'valibot'
import { count, positive } from '../../contracts/numbers.ts'
import { closedObject } from '../../contracts/objects.ts'
import { checked, type Parsed } from './problem.ts'

const FAULT_MS_MAX = 600_000

export const FAULT_KINDS = [
  /** The execution runs, and nothing is answered. */
  'no-result',
  /** The answer comes `ms` later than it could; without `ms`, after the host has given up. */
  'late',
  /** The answer is cut short. */
  'truncate',
  /** The answer comes in chunks, one of which is missing. */
  'drop-chunk',
  /** The answer comes in chunks, one of them twice. */
  'repeat-chunk',
  /** What is no answer comes before it. */
  'garbage',
  /** The link is cut when the request arrives, and the operator never sees it. */
  'link-lost-before',
  /** The link is cut once the operator has the request, and the operator finishes it. */
  'link-lost-after',
  /** The operator takes `ms` longer. */
  'slow',
  /** As `link-lost-after`, and the device takes no new link. */
  'device-gone',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** The first `after` executions of a device pass untouched, and the next `times` are hit. */
export const Fault = closedObject({
  after: v.exactOptional(count, 0),
  do: v.picklist(FAULT_KINDS),
  ms: v.exactOptional(v.pipe(count, v.maxValue(FAULT_MS_MAX))),
  times: v.exactOptional(positive, 1),
})
export type Fault = v.InferOutput<typeof Fault>

export const Faults = v.array(Fault)

/** The form of a faults file. */
export const parseFaults = (json: unknown): Parsed<'faults', Fault[]> => {
  const result = checked(Faults, json)
  return result.ok ? { ok: true, faults: result.value } : result
}
