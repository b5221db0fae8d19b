/** The answers of scripts, and the effects with which a later process repeats them. */

/** `problem` takes the place of a response that never came; a repetition meets the same problem. */
export type ScriptResponse =
  | {
      readonly ok: boolean
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  | { readonly problem: string }

/**
 * A script sees the world through its requests and its clock. The digest is of the request; a file that the request names
 * is not part of it.
 */
export type ScriptEffect =
  | { readonly kind: 'http'; readonly digest: string; readonly response: ScriptResponse }
  /** At this reading of the clock so much time had passed since the evaluation began. Between two of these it stood still. */
  | { readonly kind: 'clock'; readonly reading: number; readonly elapsedMs: number }

/** A request before it is sent. */
export interface RequestIntent {
  readonly method: string
  /** Without credentials and query, which may be secret. */
  readonly url: string
  readonly digest: string
  /** The files in it, as they were read. */
  readonly files: readonly ReadFile[]
  /** The position in the evaluation, which counts the requests that have an answer. */
  readonly request: number
  /** The record has the answer of another request in its place. */
  readonly isOther: boolean
}

export interface ReadFile {
  readonly file: string
  /** SHA-256 of its bytes. */
  readonly digest: string
}

export interface ScriptPlace {
  /** The script, or the flow that holds it. Files that it names are relative to its folder. */
  readonly file: string
  /** The line of the file on which the source begins, from 1. */
  readonly line: number
  readonly env: Readonly<Record<string, string>>
  /** The source is the whole file: its lines count from 1, whatever `line` says. */
  readonly isFile?: boolean | undefined
  /** The time at which the script's clock begins. Hand in the recorded one when the evaluation is repeated. */
  readonly now?: number | undefined
  /** The effects of the evaluation that is repeated, in order. What goes beyond them happens for real. */
  readonly recorded?: readonly ScriptEffect[] | undefined
  /**
   * Waited for before the first byte of a request leaves. Where it throws, neither this request nor a later one is sent,
   * and the evaluation rejects with the error when the script has ended.
   */
  readonly onRequest?: ((intent: RequestIntent) => Promise<void>) | undefined
  /** Waited for before the script sees the effect, repeated ones included; it may throw as `onRequest` does. */
  readonly onEffect?: ((effect: ScriptEffect) => void | Promise<void>) | undefined
  /** Called with each name in a text that has no value, such as `NAME` or `output.name`: the text then has `undefined`. */
  readonly onUndefined?: ((name: string) => void) | undefined
  /** Called with each line of `console` and the place of its call, also when the script never ends. */
  readonly onLog?: ((text: string, place: { readonly file: string; readonly line: number }) => void) | undefined
}

/** The traces of an evaluation, however it ended. */
export interface Traces {
  readonly logs: readonly string[]
  readonly effects: readonly ScriptEffect[]
}

export interface ScriptValue extends Traces {
  readonly ok: true
  /** Undefined also for what JSON cannot hold, such as a function. */
  readonly value: unknown
  readonly text: string
}

export interface ScriptProblem extends Traces {
  readonly ok: false
  readonly kind: 'threw' | 'syntax' | 'timeout' | 'memory'
  readonly problem: string
  /** Another file than the evaluated one where a function of an earlier script threw. */
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
}

export type ScriptAnswer = ScriptValue | ScriptProblem

/** Thrown where a text could not be filled in, for the script in it failed. */
export class ScriptFailure extends Error {
  override readonly name = 'ScriptFailure'
  readonly answer: ScriptProblem
  constructor(answer: ScriptProblem) {
    super(answer.problem)
    this.answer = answer
  }
}
