/** All that a trial leaves behind, for the laws. */
import type { TransitionRecord } from '../../src/contracts/records/actor.ts'
import type { Violation } from '../laws/laws.ts'
import type { Story } from '../laws/story.ts'
import type { EvidenceOfWorld } from './evidence/watch-evidence.ts'
import type { CancelAnswer, Departure, Look } from './host/clients.ts'
import type { DeviceEvent } from './laws/queue-laws.ts'
import type { Deeds } from './phone/deeds.ts'
import type { FetchedFile } from './phone/file-steps.ts'
import type { Ask } from './plan/plan.ts'
import type { RecordingsOfWorld } from './recordings/recorded.ts'

export interface Death {
  pid: number
  /** Virtual ms. */
  at: number
}

/** The time in which an operator app was at work on a request, in virtual ms. */
export interface Busy {
  phone: number
  executionId: string
  from: number
  /** Absent while it is at work. */
  until: number | undefined
}

/** Something that should have ended, and has not. */
export interface Left {
  owner: string
  what: string
}

/** Steps that hosts have performed over links. */
export interface HostStepsOfWorld {
  asks: readonly Ask[]
  /** Of each phone. */
  deeds: readonly Deeds[]
  /** Asked in the calm: each puts back the settings of its phone. */
  restores: readonly { command: string; phone: number }[]
  /** Asked in the calm: each does again the transfers to the places that have a draft beside them. */
  agains: readonly { command: string; phone: number; pushes: readonly string[]; pulls: readonly string[] }[]
  /** The files on hosts before that, and in the end. */
  fetchedBefore: readonly FetchedFile[]
  fetched: readonly FetchedFile[]
  /** In the end. */
  hostDrafts: readonly { host: number; name: string }[]
}

export interface World {
  story: Story
  watched: readonly {
    watcher: string
    since: Readonly<Record<string, number>>
    events: TransitionRecord[]
    problems: string[]
    /** A power cut may have taken records that it has heard of. */
    isOver: boolean
    /** The newest record when its process was told to end: what that records last, it may not hear. */
    until?: number
  }[]
  deaths: readonly Death[]
  /** The process that began each execution, and when it was on record, in virtual ms. */
  begun: readonly { executionId: string; pid: number; at: number; host: string }[]
  busy: readonly Busy[]
  /** How long callers let their commands run. */
  timeouts: Readonly<Record<string, number>>
  /** Commands that the host performs by itself: the operator app sees nothing of them. */
  byShell: readonly string[]
  /** How often each row was tapped, on all phones. */
  taps: Readonly<Record<string, number>>
  /** Asked in the calm: each must succeed. */
  probes: readonly string[]
  cancels: readonly CancelAnswer[]
  departures: readonly Departure[]
  looks: readonly Look[]
  /** What journals have of queues, in their order. */
  queueEvents: readonly DeviceEvent[]
  /** How long callers let their commands wait for a busy phone. */
  waits: Readonly<Record<string, number>>
  faults: readonly { kind: string }[]
  left: readonly Left[]
  /** How many reservations callers got, and what journals have against them. */
  reservations?: { held: number; violations: readonly Violation[] }
  /** Their disks failed for a while. */
  failingHosts: readonly string[]
  /** Bytes may have been under way for long. */
  stalled: boolean
  /** Absent where it was not followed. */
  evidence?: EvidenceOfWorld
  /** Absent where none was asked for. */
  recordings?: RecordingsOfWorld
  /** Absent where no request has such a step. */
  hostSteps?: HostStepsOfWorld
}
