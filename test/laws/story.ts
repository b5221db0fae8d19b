/** What a trial leaves behind: what the phones saw, what the journals hold, what callers and watchers were told. Epoch ms. */

import type { Receipt } from '../../src/contracts/executions/receipt.ts'
import type { TransitionRecord } from '../../src/contracts/records/actor.ts'
import type { Answer } from '../long/trial/answer.ts'

/** A segment that an operator app on a phone got. */
export interface Seen {
  phone: number
  wireId: string
  at: number
}

/** A request of a caller and its answer. */
export interface Asked {
  command: string
  key: string | undefined
  host: string
  device: string
  began: number
  /** When the answer was made, where that is known: before `ended`, when it was heard. */
  answered?: number
  ended: number
  answer: Answer
  /** As it came; for the report, and for comparing what one key is answered. */
  text: string
}

/** An execution that a host has accepted, as its journal has it. */
export interface Ran {
  host: string
  executionId: string
  command: string
  phone: number
  acceptedAt: number
  /** The one it was sent under, or under which this host owned the phone; undefined when it only had the cable. */
  epoch: number | undefined
  isForwarded: boolean
  dispatches: readonly number[]
  /** The events that ended it. */
  ends: readonly string[]
  /** Nothing was acted on, says the device, or the last question before a dispatch. */
  isWithdrawn: boolean
}

export interface Watched {
  watcher: string
  /** What every host had recorded when it began. */
  since: Readonly<Record<string, number>>
  events: readonly TransitionRecord[]
  problems: readonly string[]
}

export interface Journal {
  host: string
  transitions: readonly TransitionRecord[]
}

/** Of one execution, what each host says of it. */
export interface Told {
  executionId: string
  owner: string
  own: Receipt | undefined
  byHost: Readonly<Record<string, unknown>>
}

export interface Story {
  /** The phones that several hosts reach at once, so that a cable proves nothing. */
  networkPhones: readonly number[]
  seen: readonly Seen[]
  asked: readonly Asked[]
  ran: readonly Ran[]
  journals: readonly Journal[]
  receipts: readonly Told[]
  watched: readonly Watched[]
  /** What came to no end, or did not come back. */
  unended: readonly string[]
  /**
   * When the servers lost what they had stored: the log, who owned which phone and who used which key. From then on epochs may be
   * those of before.
   */
  lostStoreAt?: number | undefined
  /** Where replaying a journal does not say what was lived, in words. */
  unlike?: readonly string[]
  /** For the report: what was done to the fleet. */
  log: readonly { at: number; text: string }[]
}
