/**
 * A session as its commands see it: one phone that it has, what is known of the screen, executions in its name, and
 * what the service answers it.
 */

import type { ElementIdentity } from '../../../contracts/device/element-identity.ts'
import type { PageElement } from '../../../contracts/device/page-element.ts'
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { ReadScreen, ReadScreens } from '../../../service/read-screens.ts'
import type { InputOf, OutputOf, RequestOptions, Result, Service } from '../../../service/service.ts'
import { webDriverErrorOf } from '../protocol/failure-error.ts'

/** Reads the answer of the service to a command: the value, or the failure as an error of the protocol. */
export const answerOf = <T>(result: Result<T>): T => {
  if (result.ok) return result.value
  throw webDriverErrorOf(result.error, result.executionId)
}

/** The device of the session in its own words. */
export const deviceOf = async (session: LiveSession) =>
  answerOf(await session.service['devices.get']({ deviceId: session.deviceId }, session.call())).device

export const settingsOf = async (session: LiveSession) =>
  answerOf(await session.service['settings.get']({ deviceId: session.deviceId }, session.call())).settings

type StepOutcome =
  | { readonly ok: true; readonly data: StepResult['data'] }
  | { readonly ok: false; readonly error: ErrorObject }

/** Performs steps of which some failures are an answer; others are thrown. The data are those of the last step. */
export const outcomeOf = async (
  session: LiveSession,
  steps: readonly SessionStep[],
  expected: readonly string[],
  options?: PerformOptions,
): Promise<StepOutcome> => {
  const done = await session.perform(steps, options)
  if (done.ok) return { ok: true, data: done.steps.at(-1)?.data ?? {} }
  if (expected.includes(done.error.code)) return { ok: false, error: done.error }
  throw webDriverErrorOf(done.error, done.executionId)
}

/** One action of an execution; the id is given by its position. */
export interface SessionStep {
  readonly type: string
  readonly params?: Readonly<Record<string, unknown>>
}

export interface PerformOptions {
  /** The time of the execution; 30 s unless told. */
  readonly timeoutMs?: number
  /** The files of this host that the steps name are the server's own: the folders that are open to the caller do not matter. */
  readonly ownFiles?: boolean
  /** The steps change nothing: the header of the answer does not name the execution. */
  readonly looks?: boolean
  /** Nobody asked for these steps: a refusal of them is not recorded as one of the caller. */
  readonly isFollowUp?: boolean
}

export interface PerformFailure {
  readonly error: ErrorObject
  /** The results of the steps up to the failed one; empty where no envelope came. */
  readonly steps: readonly StepResult[]
  readonly executionId?: string | undefined
}

export type Performed =
  | { readonly ok: true; readonly steps: readonly StepResult[]; readonly executionId: string }
  | ({ readonly ok: false } & PerformFailure)

/** In pixels, as the screen is turned. */
export interface ScreenSize {
  readonly width: number
  readonly height: number
}

/** Milliseconds. */
export interface SessionTimeouts {
  script: number
  pageLoad: number
  implicit: number
}

/** The page that commands are for in a web context. */
export interface WebContext {
  readonly name: string
  readonly applicationId: string
  readonly page: string
  /** The handles of the frames that were entered, from the outermost on. */
  readonly frames: readonly string[]
}

/** The position of the recording that this session has started. */
export const RECORDING_OF_SESSION = 'recording'

export interface LiveSession {
  readonly sessionId: string
  readonly deviceId: string
  /** As they were answered to `POST /session`. */
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly timeouts: SessionTimeouts
  /** Settings of `POST appium/settings`, by their names. */
  readonly settings: Map<string, unknown>
  /** How far commands have read, by their names: the position in the log. */
  readonly positions: Map<string, string>
  readonly clock: Clock
  /** The context that commands are for; NATIVE_APP unless switched. */
  context: string
  /** Undefined in NATIVE_APP. */
  web: WebContext | undefined
  /** As it was last read; undefined until a gesture needs it, and once the screen was turned. */
  screenSize: ScreenSize | undefined
  readonly service: Service
  /** Aborted when the session ends: whatever waits gives up. */
  readonly ended: AbortSignal
  /** Who asks: the caller `webdriver`, the lease of the session, and the signal of the client that has left. */
  call(): RequestOptions
  /** A recording that ends with the session at the latest. */
  startRecording(how: Omit<InputOf<'recording.start'>, 'deviceId'>): Promise<Result<OutputOf<'recording.start'>>>
  /** One execution; its id is the header of the answer. Never sent twice. */
  perform(steps: readonly SessionStep[], options?: PerformOptions): Promise<Performed>
  /** `perform`, with failures thrown as WebDriverError. */
  act(steps: readonly SessionStep[], options?: PerformOptions): Promise<readonly StepResult[]>
  /** Reads the screen now. Throws WebDriverError. */
  look(): Promise<ReadScreen>
  readonly elements: SessionElements
  /** The elements of pages; their ids are none of `elements`. */
  readonly webElements: SessionElements<PageElement>
  /** Performs expressions that scroll. */
  readonly screens: Pick<ReadScreens, 'mayScrollFor' | 'scrollIntoView'>
}

/** Elements that the session has given ids. */
export interface SessionElements<T = ElementIdentity> {
  /** The same identity gets the same id again. */
  idOf(identity: T): string
  /** True also for an id that is forgotten. */
  has(elementId: string): boolean
  /** Throws `no such element` for an id that this session never gave. */
  identityOf(elementId: string): T
}
