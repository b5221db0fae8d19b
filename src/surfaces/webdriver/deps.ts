/**
 * The parts of this process that WebDriver asks, the sessions that it has, and what only this process knows of each:
 * the wish of its client, its phone, and the command that it performs.
 */

import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { ReadScreens, ScreenReader } from '../../service/read-screens.ts'
import type { Service } from '../../service/service.ts'
import type { Undo } from '../../service/undo-left.ts'
import type { SessionWish } from './session/capabilities.ts'
import type { LiveSession } from './session/live-session.ts'

export interface SessionPhone {
  readonly deviceId: string
  readonly leaseId: string
}

/** The conditions of the command that is being performed. */
export interface CommandConditions {
  /** The folders below which its caller may name files of this host. */
  readonly fileRoots?: readonly string[] | undefined
  /** Aborted when nobody hears the answer. */
  readonly leave?: AbortSignal | undefined
  /** The id that its first execution gets; taken once. */
  takeFirstId(): string | undefined
  /** Hears the id of each execution before it is asked for; `acts` is false for looks. */
  onExecution(executionId: string, acts: boolean): void
}

export type CommandEnded = {
  readonly type: 'command.ended'
  readonly error: string | null
  readonly executionIds: readonly string[]
}

export interface OpenSession {
  readonly sessionId: string
  readonly wish: SessionWish
  /** Aborted when the session ends: its command stops waiting, and no other begins. */
  readonly ended: AbortController
  /** Aborted as well unless its server ends: then the execution in flight may finish. */
  readonly cancelled: AbortController
  phone: SessionPhone | undefined
  conditions: CommandConditions
  /** Present once the phone is ready. */
  live: LiveSession | undefined
  /** The settings of the device that its executions have changed. */
  readonly changedSettings: Set<string>
  /** Reads its screens, from the first look on. */
  reader: ScreenReader | undefined
  /** Why it could not be opened, with all that is known. */
  problem: { readonly error: ErrorObject; readonly executionId?: string | undefined } | undefined
  /** Resolves when the last command that was taken has ended. */
  line: Promise<unknown>
  /** How many commands wait or are performed. */
  commands: number
  /** How many commands were begun. */
  begun: number
  /** The end of the last command, while it is not on record. */
  unrecordedEnd: CommandEnded | undefined
}

/** The conditions of a session that performs no command. */
export const NO_COMMAND: CommandConditions = { takeFirstId: () => undefined, onExecution: () => {} }

export const newSession = (sessionId: string, wish: SessionWish, conditions: CommandConditions): OpenSession => ({
  sessionId,
  wish,
  ended: new AbortController(),
  cancelled: new AbortController(),
  phone: undefined,
  conditions,
  live: undefined,
  changedSettings: new Set(),
  reader: undefined,
  problem: undefined,
  line: Promise.resolve(),
  commands: 0,
  begun: 0,
  unrecordedEnd: undefined,
})

export interface WebDriverDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly host: Host
  readonly journal: Journal
  readonly version: string
  readonly screens: ReadScreens
  /** Reaches the phones of all hosts where this one is in a fleet. */
  service(): Promise<Service>
  undo(): Undo
  /** A line for a log. */
  note(text: string): void
  /** The sessions of this process by their ids: those that are being opened, are open, or give their phone back. */
  readonly sessions: Map<string, OpenSession>
}

export const sessionActor = (sessionId: string): string => `session:${sessionId}`

export const sessionTarget = (sessionId: string) => ({
  id: sessionActor(sessionId),
  machine: 'session',
  input: { sessionId },
  note: { sessionId },
})
