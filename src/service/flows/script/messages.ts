/** The words between a host and the process of its scripts; each is the head of a frame. */

export interface SourceText {
  readonly text: string
  /** Names the place of the source in stack traces. */
  readonly label: string
}

export interface ClockReading {
  readonly reading: number
  readonly elapsedMs: number
}

export interface EvaluationTask {
  readonly type: 'evaluate'
  readonly sources: readonly SourceText[]
  readonly env: Readonly<Record<string, string>>
  /** Set since the last evaluation. */
  readonly copied?: { readonly text: string | null } | undefined
  readonly now: number
  readonly seed: readonly [number, number, number, number]
  /** How the clock of the repeated evaluation went. */
  readonly readings: readonly ClockReading[]
  /** So many requests are repeated, and until they are, the clock goes as it went. */
  readonly repeatedRequests: number
  /** A script whose host died ends after so long. */
  readonly endsAfterMs: number
}

/** The body is that of the response. */
export interface ResponseMessage {
  readonly type: 'response'
  readonly response:
    | { readonly ok: boolean; readonly status: number; readonly headers: Readonly<Record<string, string>> }
    | { readonly problem: string }
}

export type FromScripts =
  /** The body is a ScriptRequest as JSON. */
  | { readonly type: 'request' }
  /** The body is a LoggedLine as JSON. */
  | { readonly type: 'log' }
  | ({ readonly type: 'clock' } & ClockReading)
  /** The body is an EvaluationResult as JSON. */
  | { readonly type: 'answer' }

export type EvaluationResult =
  /** `value` is that of the last source. */
  | { readonly texts: readonly string[]; readonly value?: unknown }
  | {
      readonly problem: string
      readonly isSyntax?: boolean
      readonly label?: string
      readonly line?: number
      readonly column?: number
    }

/** A line of the console; the line counts from the first one of the source. */
export interface LoggedLine {
  readonly text: string
  readonly label?: string
  readonly line?: number
}

/** A request as a script writes it. */
export interface ScriptRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly form?: Readonly<Record<string, string | { readonly filePath: string; readonly mediaType?: string }>>
  readonly timeoutMs?: number
}
