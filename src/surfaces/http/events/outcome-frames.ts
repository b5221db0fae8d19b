/** Section Events: one outcome as `svc:result` and `svc:execution`, each with an id from which a reader can resume. */
import { randomUUID } from 'node:crypto'
import { EVENT_NAMES, type HeartbeatData } from '../../../contracts/doors/sse.ts'
import type { ResultText } from '../answer.ts'
import { frame } from './sse.ts'

/** A reader's position: an outcome, and whether its `svc:execution` was read too. */
export interface Position {
  seq: number
  isWhole: boolean
}

export interface OutcomeText {
  deviceId: string
  /** In a fleet, the host that has the device. */
  host?: string
  /** A JSON text, like the result. */
  input: string
  result: ResultText
}

export const idOf = ({ seq, isWhole }: Position) => `${seq}.${isWhole ? 1 : 0}`

/** `~` and what follows makes the ids of heartbeats unique; it says nothing about the position. */
const ID = /^(\d{1,15})\.([01])(?:~[\w-]{1,64})?$/

export const readPosition = (id: string): Position | undefined => {
  const [, seq, part] = ID.exec(id) ?? []
  return seq === undefined ? undefined : { seq: Number(seq), isWhole: part === '1' }
}

/** The ids of the two events of one outcome. */
export type OutcomeIds = (isWhole: boolean) => string

export const idsOf =
  (seq: number): OutcomeIds =>
  isWhole =>
    idOf({ seq, isWhole })

/** A reader that comes back with the id of a heartbeat goes on from where that stream began. */
export const heartbeatFrame = (id: string): string => {
  const data: HeartbeatData = { code: 'CONNECTED', message: 'Outcomes of executions follow as they come.' }
  return frame(`${id}~${randomUUID()}`, EVENT_NAMES.heartbeat, JSON.stringify(data))
}

const hostText = ({ host }: OutcomeText) => (host === undefined ? '' : `,"host":${JSON.stringify(host)}`)

/** `ids` is undefined for an outcome that the journal would not take: it cannot be read again later. */
export const executionFrame = (ids: OutcomeIds | undefined, outcome: OutcomeText): string => {
  const { deviceId, input, result } = outcome
  const data = `{"deviceId":${JSON.stringify(deviceId)},"input":${input},"result":${result.json}${hostText(outcome)}}`
  return frame(ids?.(true), EVENT_NAMES.execution, data)
}

const resultFrame = (ids: OutcomeIds | undefined, outcome: OutcomeText, envelope: string): string => {
  const data = `{"deviceId":${JSON.stringify(outcome.deviceId)},"envelope":${envelope}${hostText(outcome)}}`
  return frame(ids?.(false), EVENT_NAMES.result, data)
}

export interface OutcomeFrames {
  chunk: Buffer
  events: number
}

export const outcomeFrames = (ids: OutcomeIds | undefined, outcome: OutcomeText): OutcomeFrames => {
  const { envelope } = outcome.result
  const second = executionFrame(ids, outcome)
  if (envelope === undefined) return { chunk: Buffer.from(second), events: 1 }
  return { chunk: Buffer.from(resultFrame(ids, outcome, envelope) + second), events: 2 }
}
