/** Section Events: one outcome as `svc:result` and `svc:execution`, each with an id from which a reader can resume. */
import { randomUUID } from 'node:crypto'
import { EVENT_NAMES, type HeartbeatData } from '../../contracts/sse.ts'
import type { ResultText } from '../result-text.ts'
import { frame } from './sse.ts'

/** Where a reader is: an outcome, and whether its `svc:execution` was read too. */
export interface Position {
  seq: number
  isWhole: boolean
}

export interface OutcomeText {
  deviceId: string
  /** As JSON, like the result. */
  input: string
  result: ResultText
}

const idOf = ({ seq, isWhole }: Position) => `${seq}.${isWhole ? 1 : 0}`

/** `~` and what follows makes the ids of heartbeats unique; it says nothing about the position. */
const ID = /^(\d{1,15})\.([01])(?:~[\w-]{1,64})?$/

export const readPosition = (id: string): Position | undefined => {
  const [, seq, part] = ID.exec(id) ?? []
  return seq === undefined ? undefined : { seq: Number(seq), isWhole: part === '1' }
}

/** A reader that comes back with the id of a heartbeat goes on from where that stream began. */
export const heartbeatFrame = (position: Position): string => {
  const data: HeartbeatData = { code: 'CONNECTED', message: 'Outcomes of executions follow as they come.' }
  return frame(`${idOf(position)}~${randomUUID()}`, EVENT_NAMES.heartbeat, JSON.stringify(data))
}

/** Without a position, for one that the journal would not take: it can be heard, and not asked for again. */
export const executionFrame = (seq: number | undefined, { deviceId, input, result }: OutcomeText): string => {
  const data = `{"deviceId":${JSON.stringify(deviceId)},"input":${input},"result":${result.json}}`
  return frame(seq === undefined ? undefined : idOf({ seq, isWhole: true }), EVENT_NAMES.execution, data)
}

const resultFrame = (seq: number | undefined, deviceId: string, envelope: string): string => {
  const data = `{"deviceId":${JSON.stringify(deviceId)},"envelope":${envelope}}`
  return frame(seq === undefined ? undefined : idOf({ seq, isWhole: false }), EVENT_NAMES.result, data)
}

export interface OutcomeFrames {
  chunk: Buffer
  events: number
}

export const outcomeFrames = (seq: number | undefined, outcome: OutcomeText): OutcomeFrames => {
  const { deviceId, result } = outcome
  const second = executionFrame(seq, outcome)
  if (result.envelope === undefined) return { chunk: Buffer.from(second), events: 1 }
  return { chunk: Buffer.from(resultFrame(seq, deviceId, result.envelope) + second), events: 2 }
}
