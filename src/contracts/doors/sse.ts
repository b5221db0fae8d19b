/** The data of the events on GET /events: the contract's section Events. */
import * as v from 'valibot'
import { ExecutionResult, ResultEnvelope } from '../executions/execution-result.ts'
import { openObject } from '../json/objects.ts'

export const EVENT_NAMES = {
  heartbeat: 'heartbeat',
  result: 'svc:result',
  execution: 'svc:execution',
  transition: 'svc:transition',
  gap: 'svc:gap',
  log: 'svc:log',
  error: 'svc:error',
} as const

export const HeartbeatData = openObject({ code: v.literal('CONNECTED'), message: v.string() })
export type HeartbeatData = v.InferOutput<typeof HeartbeatData>

/** In a fleet, the host that has the device. */
const host = v.exactOptional(v.string())

export const ResultData = openObject({ deviceId: v.string(), envelope: ResultEnvelope, host })

/** `input` is what the caller sent, valid or not. */
export const ExecutionData = openObject({ deviceId: v.string(), input: v.unknown(), result: ExecutionResult, host })
