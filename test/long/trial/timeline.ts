/** What a trial leaves behind: the three tellers, the phones, the receipts and the answers, with the times. Epoch ms. */
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'
import type { SeenExecution } from '../../../src/simulator/operator-app/operator.ts'
import type { Answer } from './answer.ts'
import type { SentTouch } from './links.ts'
import type { Surface } from './plan.ts'
import type { Setting } from './plan-troubles.ts'

export interface PhoneTruth {
  serial: string
  /** How often each row was tapped, by its command. */
  taps: Readonly<Record<string, number>>
  requests: readonly SeenExecution[]
}

export interface Ask {
  command: string
  surface: Surface
  serial: string
  timeoutMs: number
  key: string | undefined
  /** The server that was asked, and which of its lives. */
  server: { index: number; life: number } | undefined
  began: number
  ended: number
  answer: Answer
}

export interface Death {
  at: number
  pid: number
  what: string
  signal: NodeJS.Signals
  server: { index: number; life: number } | undefined
}

/** Something that broke beside the deaths, from when to when. */
export interface Suffered {
  at: number
  until: number
  /** The kind of trouble, or of signal. */
  kind: string
  what: string
}

export interface OutcomeEvent {
  listener: number
  id: string | undefined
  event: string
  deviceId: string
  /** The commandId of the input or of the envelope. */
  command: string | undefined
  /** Of one that failed. */
  executionId: string | undefined
  /** The caller was refused before anything was accepted. */
  isRefusal: boolean
}

/** A device after recovery: when it first did what it was asked, if it did. */
export interface Revival {
  serial: string
  began: number
  succeeded: number | undefined
  last: string
}

export interface Timeline {
  phones: readonly PhoneTruth[]
  receipts: readonly Receipt[]
  asks: readonly Ask[]
  deaths: readonly Death[]
  events: readonly OutcomeEvent[]
  revivals: readonly Revival[]
  /** For the report. */
  touches: readonly SentTouch[]
  suffered: readonly Suffered[]
  setting: Setting
  /** What the journal does not agree with, in words. */
  unlike: readonly string[]
  /** Who still owns what, when nothing is at work any more. */
  leases: readonly string[]
  /** What this machine could not do. */
  lacks: readonly string[]
}
