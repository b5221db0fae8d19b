/** Requests, envelopes and log lines as an operator app of the protocol would have them. */
import { createHash } from 'node:crypto'
import {
  CHUNK_PREFIX,
  PROGRESS_PREFIX,
  RESULT_PREFIX,
  type WireEnvelope,
} from '../../../src/contracts/device/operator.ts'
import type { Action } from '../../../src/contracts/executions/action.ts'
import type { Execution } from '../../../src/contracts/executions/execution.ts'
import { CHUNK_BYTES, RESULT_LINE_BYTES } from '../../../src/contracts/limits/limits.ts'

export const EXECUTION_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

export const sleepStep = (id: string, durationMs = 0): Action => ({ id, type: 'sleep', params: { durationMs } })
export const closeStep = (id: string, applicationId = 'com.example'): Action => ({
  id,
  type: 'close_app',
  params: { applicationId },
})

export const executionOf = (actions: readonly Action[], more: Partial<Execution> = {}): Execution => ({
  commandId: 'caller-command',
  taskId: 'caller-task',
  source: 'test',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
  actions: [...actions],
  ...more,
})

export const okStep = (id: string, data: Record<string, string> = {}) => ({
  id,
  actionType: 'sleep',
  success: true,
  data,
})

export const wireEnvelopeOf = (
  awaited: { wireId: string; nonce: string },
  more: Partial<WireEnvelope> = {},
): WireEnvelope => ({
  commandId: awaited.wireId,
  nonce: awaited.nonce,
  taskId: 'caller-task',
  status: 'success',
  stepResults: [okStep('a')],
  error: null,
  ...more,
})

export const resultLine = (value: unknown): string => `${RESULT_PREFIX}${JSON.stringify(value)}`

export interface ChunkFields {
  commandId: string
  nonce: string
  index: number
  count: number
  byteLength: number
  sha256: string
  data: string
}

/** The chunks of a long result; `perChunk` smaller than the protocol's own for small examples. */
export const chunksOf = (
  { wireId, nonce }: { wireId: string; nonce: string },
  text: string,
  perChunk = CHUNK_BYTES,
): ChunkFields[] => {
  const bytes = Buffer.from(text)
  const count = Math.max(1, Math.ceil(bytes.length / perChunk))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return Array.from({ length: count }, (_, index) => ({
    commandId: wireId,
    nonce,
    index,
    count,
    byteLength: bytes.length,
    sha256,
    data: bytes.subarray(index * perChunk, (index + 1) * perChunk).toString('base64'),
  }))
}

export const chunkLine = (chunk: ChunkFields): string => `${CHUNK_PREFIX}${JSON.stringify(chunk)}`

export const progressLine = (value: unknown): string => `${PROGRESS_PREFIX}${JSON.stringify(value)}`

/** The lines in which the protocol has an operator answer. */
export const answerLines = (envelope: WireEnvelope): string[] => {
  const text = JSON.stringify(envelope)
  if (Buffer.byteLength(text) <= RESULT_LINE_BYTES) return [resultLine(envelope)]
  return chunksOf({ wireId: envelope.commandId, nonce: envelope.nonce }, text).map(chunkLine)
}
