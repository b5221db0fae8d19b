/** The parts of this process that WebDriver asks, and the sessions that it has. */

import type { Clock } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { ReadScreens } from '../../service/read-screens.ts'
import type { Service } from '../../service/service.ts'
import type { Undo } from '../../service/undo-left.ts'
import type { OpenSession } from './session/open-session.ts'

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
